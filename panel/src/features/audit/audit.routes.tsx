import { createRoute } from '@tanstack/react-router';
import type audit from '#features/audit/audit.en.json';
import type fields from '#features/audit/audit-fields.en.json';
import { lazyScreen } from '#lib/chunk.ts';
import { loadTexts } from '#lib/i18n.ts';
import { shellRoute } from '#lib/routes.ts';

declare module '#lib/texts.ts' {
  interface Texts {
    audit: typeof audit;
    'audit-fields': typeof fields;
  }
}

export const auditRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/audit',
    staticData: { access: 'read-location' },
    loader: () => loadTexts('audit', 'audit-fields', 'limit', 'table', 'tenants'),
    component: lazyScreen(() => import('#features/audit/audit-page.tsx'), 'AuditPage'),
  }),
] as const;
