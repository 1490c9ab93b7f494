import { createRoute } from '@tanstack/react-router';
import { lazyScreen } from '#lib/chunk.ts';
import { loadTexts } from '#lib/i18n.ts';
import { shellRoute } from '#lib/routes.ts';

export const auditRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/audit',
    staticData: { access: 'read-location' },
    loader: () => loadTexts('audit', 'tenants'),
    component: lazyScreen(() => import('#features/audit/audit-page.tsx'), 'AuditPage'),
  }),
] as const;
