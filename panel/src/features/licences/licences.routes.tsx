import { createRoute } from '@tanstack/react-router';
import type licences from '#features/licences/licences.en.json';
import { lazyScreen } from '#lib/chunk.ts';
import { loadTexts } from '#lib/i18n.ts';
import { shellRoute } from '#lib/routes.ts';

declare module '#lib/texts.ts' {
  interface Texts {
    licences: typeof licences;
  }
}

export const licenceRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/licences',
    staticData: { access: 'read-tenant' },
    loader: () => loadTexts('licences', 'tenants'),
    component: lazyScreen(() => import('#features/licences/licence-payments-page.tsx'), 'LicencePaymentsPage'),
  }),
] as const;
