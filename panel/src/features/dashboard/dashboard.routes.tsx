import { createRoute } from '@tanstack/react-router';
import type dashboard from '#features/dashboard/dashboard.en.json';
import { lazyScreen } from '#lib/chunk.ts';
import { loadTexts } from '#lib/i18n.ts';
import { shellRoute } from '#lib/routes.ts';

declare module '#lib/texts.ts' {
  interface Texts {
    dashboard: typeof dashboard;
  }
}

export const dashboardRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/',
    staticData: { access: 'view-basic-stats' },
    loader: () => loadTexts('dashboard', 'sessions'),
    component: lazyScreen(() => import('#features/dashboard/dashboard-page.tsx'), 'DashboardPage'),
  }),
] as const;
