import { createRoute } from '@tanstack/react-router';
import { lazyScreen } from '#lib/chunk.ts';
import { loadTexts } from '#lib/i18n.ts';
import { shellRoute } from '#lib/routes.ts';

const staticData = { access: 'view-portals' } as const;

/** The head, the tabs and the preview; the tab itself is a child, so that the preview stays while tabs change. */
const editor = createRoute({
  getParentRoute: () => shellRoute,
  path: '/portals/$portalId/edit',
  staticData,
  loader: () => loadTexts('portals', 'portal-editor'),
  component: lazyScreen(() => import('#features/portals/portal-editor.tsx'), 'PortalEditor'),
});
const getParentRoute = () => editor;

export const portalRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/portals',
    staticData,
    loader: () => loadTexts('portals'),
    component: lazyScreen(() => import('#features/portals/portals-page.tsx'), 'PortalsPage'),
  }),
  editor.addChildren([
    createRoute({
      getParentRoute,
      path: '/',
      component: lazyScreen(() => import('#features/portals/general-tab.tsx'), 'GeneralTab'),
    }),
    createRoute({
      getParentRoute,
      path: '/sign-in-methods',
      component: lazyScreen(() => import('#features/portals/methods-tab.tsx'), 'MethodsTab'),
    }),
    createRoute({
      getParentRoute,
      path: '/surveys',
      component: lazyScreen(() => import('#features/portals/surveys-tab.tsx'), 'SurveysTab'),
    }),
    createRoute({
      getParentRoute,
      path: '/rules',
      component: lazyScreen(() => import('#features/portals/rules-tab.tsx'), 'RulesTab'),
    }),
    createRoute({
      getParentRoute,
      path: '/advertisements',
      component: lazyScreen(() => import('#features/portals/advertisements-tab.tsx'), 'AdvertisementsTab'),
    }),
    createRoute({
      getParentRoute,
      path: '/advanced',
      component: lazyScreen(() => import('#features/portals/advanced-tab.tsx'), 'AdvancedTab'),
    }),
  ]),
] as const;
