import { createRoute, redirect } from '@tanstack/react-router';
import { lazyScreen } from '#lib/chunk.ts';
import { loadTexts } from '#lib/i18n.ts';
import { shellRoute } from '#lib/routes.ts';

const staticData = { access: 'view-portals' } as const;
const loader = () => loadTexts('qr-menu');

export const qrMenuRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/qrmenu',
    beforeLoad: () => {
      throw redirect({ to: '/qrmenu/categories', replace: true });
    },
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/qrmenu/categories',
    staticData,
    loader,
    component: lazyScreen(() => import('#features/qr-menu/categories-page.tsx'), 'CategoriesPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/qrmenu/products',
    staticData,
    loader,
    component: lazyScreen(() => import('#features/qr-menu/products-page.tsx'), 'ProductsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/qrmenu/desks',
    staticData,
    loader,
    component: lazyScreen(() => import('#features/qr-menu/desks-page.tsx'), 'DesksPage'),
  }),
] as const;
