import { createRoute } from '@tanstack/react-router';
import { reportsRoute } from '#features/reports/public.ts';
import { lazyScreen } from '#lib/chunk.ts';
import { loadTexts } from '#lib/i18n.ts';
import { shellRoute } from '#lib/routes.ts';

const loader = () => loadTexts('sessions');
const staticData = { access: 'view-basic-stats' } as const;

export const sessionRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/online',
    staticData,
    loader,
    component: lazyScreen(() => import('#features/sessions/online-page.tsx'), 'OnlinePage'),
  }),
] as const;

/** The third of the reports. */
export const historyRoutes = [
  createRoute({
    getParentRoute: () => reportsRoute,
    path: '/session-history',
    staticData,
    loader,
    component: lazyScreen(() => import('#features/sessions/history-page.tsx'), 'HistoryPage'),
  }),
] as const;
