import { createRoute, redirect } from '@tanstack/react-router';
import type portalBlocks from '#features/portals/blocks/portal-blocks.en.json';
import type portalPeriods from '#features/portals/periods/portal-periods.en.json';
import type portalEditor from '#features/portals/portal-editor.en.json';
import type portals from '#features/portals/portals.en.json';
import { lazyScreen } from '#lib/chunk.ts';
import { loadTexts } from '#lib/i18n.ts';
import { shellRoute } from '#lib/routes.ts';

declare module '#lib/texts.ts' {
  interface Texts {
    'portal-blocks': typeof portalBlocks;
    'portal-editor': typeof portalEditor;
    'portal-periods': typeof portalPeriods;
    portals: typeof portals;
  }
}

const staticData = { access: 'view-portals' } as const;

/** Header, tabs and preview. The tabs are child routes, so the preview stays while they change. */
const editor = createRoute({
  getParentRoute: () => shellRoute,
  path: '/portals/$portalId/edit',
  staticData,
  loader: () => loadTexts('portals', 'portal-editor', 'portal-blocks', 'picture-field', 'table'),
  component: lazyScreen(() => import('#features/portals/editor/portal-editor.tsx'), 'PortalEditor'),
});
const getParentRoute = () => editor;

/** The paths of the portal screens in the product's specification. */
const specifiedPath = createRoute({
  getParentRoute: () => shellRoute,
  path: '/admin/portals/$',
  beforeLoad: ({ location: { pathname, search, hash } }) => {
    const to = pathname.slice('/admin'.length).replace(/\/$/, '');
    throw redirect({ to: to as '/portals', search, hash, replace: true });
  },
});

export const portalRoutes = [
  specifiedPath,
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/portals',
    staticData,
    loader: () => loadTexts('portals', 'table'),
    component: lazyScreen(() => import('#features/portals/list/portals-page.tsx'), 'PortalsPage'),
  }),
  editor.addChildren([
    createRoute({
      getParentRoute,
      path: '/',
      component: lazyScreen(() => import('#features/portals/design/general-page.tsx'), 'GeneralPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/blocks',
      component: lazyScreen(() => import('#features/portals/blocks/blocks-page.tsx'), 'BlocksPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/sign-in-methods',
      component: lazyScreen(() => import('#features/portals/sign-in/methods-page.tsx'), 'MethodsPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/surveys',
      component: lazyScreen(() => import('#features/portals/surveys/surveys-page.tsx'), 'SurveysPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/rules',
      component: lazyScreen(() => import('#features/portals/rules/rules-page.tsx'), 'RulesPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/advertisements',
      component: lazyScreen(
        () => import('#features/portals/advertisements/advertisements-page.tsx'),
        'AdvertisementsPage',
      ),
    }),
    createRoute({
      getParentRoute,
      path: '/advanced',
      component: lazyScreen(() => import('#features/portals/texts/advanced-page.tsx'), 'AdvancedPage'),
    }),
  ]),
] as const;
