import { createRoute } from '@tanstack/react-router';
import type sessions from '#features/sessions/sessions.en.json';
import { lazyScreen } from '#lib/chunk.ts';
import { loadTexts } from '#lib/i18n.ts';
import { shellRoute } from '#lib/routes.ts';

declare module '#lib/texts.ts' {
  interface Texts {
    sessions: typeof sessions;
  }
}

const loader = () => loadTexts('sessions', 'table');
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
