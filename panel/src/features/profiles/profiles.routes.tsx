import { createRoute } from '@tanstack/react-router';
import { lazyScreen } from '#lib/chunk.ts';
import { loadTexts } from '#lib/i18n.ts';
import { shellRoute } from '#lib/routes.ts';

export const profileRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/locations/$locationId/edit/user-profiles',
    staticData: { access: 'view-clients' },
    loader: () => loadTexts('locations', 'profiles'),
    component: lazyScreen(() => import('#features/profiles/profiles-page.tsx'), 'ProfilesPage'),
  }),
] as const;
