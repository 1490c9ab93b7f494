import { createRoute, redirect } from '@tanstack/react-router';
import type reports from '#features/reports/reports.en.json';
import { lazyScreen } from '#lib/chunk.ts';
import { loadTexts } from '#lib/i18n.ts';
import { shellRoute } from '#lib/routes.ts';

declare module '#lib/texts.ts' {
  interface Texts {
    reports: typeof reports;
  }
}

const staticData = { access: 'view-basic-stats' } as const;
const loader = () => loadTexts('reports', 'table');

/** Two of the three reports; the session history belongs to the sessions feature. */
export const reportRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/reports',
    beforeLoad: () => {
      throw redirect({ to: '/reports/mac-sessions', replace: true });
    },
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/reports/mac-sessions',
    staticData,
    loader,
    component: lazyScreen(() => import('#features/reports/mac-sessions-page.tsx'), 'MacSessionsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/reports/sales-report',
    staticData,
    loader,
    component: lazyScreen(() => import('#features/reports/sales-page.tsx'), 'SalesPage'),
  }),
] as const;
