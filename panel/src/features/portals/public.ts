import { loadTexts } from '#lib/i18n.ts';
import { lazyPart } from '#lib/lazy-part.tsx';

export { changePeriods } from '#features/portals/periods/change-periods.ts';

const withTexts = async <Part>(part: Promise<Part>): Promise<Part> => {
  await loadTexts('portals', 'portal-editor');
  return part;
};

/** Loaded on demand, because it contains half of the portal editor. */
export const PortalSetup = lazyPart(
  () => import('#features/portals/editor/portal-setup.tsx'),
  'PortalSetup',
  'in-place',
);

/** Says why guests cannot sign in with a portal; nothing if they can. */
export const PortalWarnings = lazyPart(
  () => withTexts(import('#features/portals/editor/portal-warnings.tsx')),
  'PortalWarningsOf',
  'in-place',
);

/** The same as a tab of another screen. Loads the editor's texts as well. */
export const PortalPart = lazyPart(
  () => withTexts(import('#features/portals/editor/portal-part.tsx')),
  'PortalPart',
  'in-place',
);

/** The periods in which a location or a device shows other portals. */
export const PeriodsCard = lazyPart(
  async () => {
    await loadTexts('portal-periods');
    return import('#features/portals/periods/periods-card.tsx');
  },
  'PeriodsCard',
  'in-place',
);
