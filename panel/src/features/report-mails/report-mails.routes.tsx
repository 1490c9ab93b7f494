import { createRoute } from '@tanstack/react-router';
import type reportMails from '#features/report-mails/report-mails.en.json';
import { lazyScreen } from '#lib/chunk.ts';
import { loadTexts } from '#lib/i18n.ts';
import { shellRoute } from '#lib/routes.ts';

declare module '#lib/texts.ts' {
  interface Texts {
    'report-mails': typeof reportMails;
  }
}

export const reportMailRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/reports/mails',
    staticData: { access: 'update-location' },
    loader: () => loadTexts('report-mails'),
    component: lazyScreen(() => import('#features/report-mails/report-mails-page.tsx'), 'ReportMailsPage'),
  }),
] as const;
