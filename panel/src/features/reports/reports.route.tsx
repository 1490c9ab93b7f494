import { createRoute } from '@tanstack/react-router';
import { lazyScreen } from '#lib/chunk.ts';
import { loadTexts } from '#lib/i18n.ts';
import { shellRoute } from '#lib/routes.ts';

/** What the three reports hang on: their navigation beside them. In a file of its own, because sessions adds one. */
export const reportsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/reports',
  staticData: { access: 'view-basic-stats' },
  loader: () => loadTexts('reports'),
  component: lazyScreen(() => import('#features/reports/reports-layout.tsx'), 'ReportsLayout'),
});
