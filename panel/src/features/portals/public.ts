import { lazyPart } from '#lib/lazy-part.tsx';

/** Fetched when it is shown: half the portal editor is in it. */
export const PortalSetup = lazyPart(() => import('#features/portals/portal-setup.tsx'), 'PortalSetup');
