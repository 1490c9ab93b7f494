import { createRoute } from '@tanstack/react-router';
import { lazyScreen } from '#lib/chunk.ts';
import { loadTexts } from '#lib/i18n.ts';
import { shellRoute } from '#lib/routes.ts';

export const visitorRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/visitors',
    staticData: { access: 'view-clients' },
    loader: () => loadTexts('visitors'),
    component: lazyScreen(() => import('#features/visitors/visitors-page.tsx'), 'VisitorsPage'),
  }),
] as const;
