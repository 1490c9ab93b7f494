import { createRoute } from '@tanstack/react-router';
import { lazyScreen } from '#lib/chunk.ts';
import { loadTexts } from '#lib/i18n.ts';
import { shellRoute } from '#lib/routes.ts';

export const reportMailRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/reports/mails',
    staticData: { access: 'update-location' },
    loader: () => loadTexts('report-mails'),
    component: lazyScreen(() => import('#features/report-mails/report-mails-page.tsx'), 'ReportMailsPage'),
  }),
] as const;
