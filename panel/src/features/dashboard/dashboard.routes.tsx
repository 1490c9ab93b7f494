import { createRoute } from '@tanstack/react-router';
import { lazyScreen } from '#lib/chunk.ts';
import { loadTexts } from '#lib/i18n.ts';
import { shellRoute } from '#lib/routes.ts';

export const dashboardRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/',
    staticData: { access: 'view-basic-stats' },
    loader: () => loadTexts('dashboard', 'sessions'),
    component: lazyScreen(() => import('#features/dashboard/dashboard-page.tsx'), 'DashboardPage'),
  }),
] as const;
