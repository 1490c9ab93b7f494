import { loadTexts } from '#lib/i18n.ts';
import { lazyPart } from '#lib/lazy-part.tsx';

const withTexts = async <Part>(part: Promise<Part>): Promise<Part> => {
  await loadTexts('portals', 'portal-editor');
  return part;
};

/** Fetched when it is shown: half the portal editor is in it. */
export const PortalSetup = lazyPart(
  () => import('#features/portals/editor/portal-setup.tsx'),
  'PortalSetup',
  'in-place',
);

/** The same for a tab of another screen, which need not have the editor's texts before. */
export const PortalPart = lazyPart(
  () => withTexts(import('#features/portals/editor/portal-part.tsx')),
  'PortalPart',
  'in-place',
);
