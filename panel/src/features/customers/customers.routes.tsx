import { createRoute } from '@tanstack/react-router';
import type customers from '#features/customers/customers.en.json';
import { lazyScreen } from '#lib/chunk.ts';
import { loadTexts } from '#lib/i18n.ts';
import { shellRoute } from '#lib/routes.ts';

declare module '#lib/texts.ts' {
  interface Texts {
    customers: typeof customers;
  }
}

export const customerRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/admin',
    staticData: { access: 'create-location' },
    loader: () => loadTexts('customers'),
    component: lazyScreen(() => import('#features/customers/customers-page.tsx'), 'CustomersPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/admin/overview',
    staticData: { access: 'create-location' },
    loader: () => loadTexts('customers', 'table'),
    component: lazyScreen(() => import('#features/customers/overview-page.tsx'), 'OverviewPage'),
  }),
] as const;
