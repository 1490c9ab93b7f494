import { createRoute, redirect } from '@tanstack/react-router';
import { reportsRoute } from '#features/reports/reports.route.tsx';
import { lazyScreen } from '#lib/chunk.ts';

export const reportRoutes = [
  createRoute({
    getParentRoute: () => reportsRoute,
    path: '/',
    beforeLoad: () => {
      throw redirect({ to: '/reports/mac-sessions', replace: true });
    },
  }),
  createRoute({
    getParentRoute: () => reportsRoute,
    path: '/mac-sessions',
    component: lazyScreen(() => import('#features/reports/mac-sessions-page.tsx'), 'MacSessionsPage'),
  }),
  createRoute({
    getParentRoute: () => reportsRoute,
    path: '/sales-report',
    component: lazyScreen(() => import('#features/reports/sales-page.tsx'), 'SalesPage'),
  }),
] as const;
