import { createRoute, redirect } from '@tanstack/react-router';
import type qrMenu from '#features/qr-menu/qr-menu.en.json';
import { lazyScreen } from '#lib/chunk.ts';
import { loadTexts } from '#lib/i18n.ts';
import { shellRoute } from '#lib/routes.ts';

declare module '#lib/texts.ts' {
  interface Texts {
    'qr-menu': typeof qrMenu;
  }
}

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
