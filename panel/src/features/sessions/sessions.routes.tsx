import { createRoute } from '@tanstack/react-router';
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
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/reports/session-history',
    staticData,
    loader,
    component: lazyScreen(() => import('#features/sessions/history-page.tsx'), 'HistoryPage'),
  }),
] as const;
