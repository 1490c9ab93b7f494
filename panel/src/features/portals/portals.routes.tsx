import { createRoute } from '@tanstack/react-router';
import { lazyScreen } from '#lib/chunk.ts';
import { loadTexts } from '#lib/i18n.ts';
import { shellRoute } from '#lib/routes.ts';

const loader = () => loadTexts('portals');
const staticData = { access: 'view-portals' } as const;

export const portalRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/portals',
    staticData,
    loader,
    component: lazyScreen(() => import('#features/portals/portals-page.tsx'), 'PortalsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/portals/$portalId/edit',
    staticData,
    loader,
    component: lazyScreen(() => import('#features/portals/portal-page.tsx'), 'PortalPage'),
  }),
] as const;
