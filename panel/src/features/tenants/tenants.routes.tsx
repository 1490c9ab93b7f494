import { createRoute } from '@tanstack/react-router';
import { lazyScreen } from '#lib/chunk.ts';
import { loadTexts } from '#lib/i18n.ts';
import { shellRoute } from '#lib/routes.ts';

const staticData = { access: 'read-tenant' } as const;
const loader = () => loadTexts('tenants');

export const tenantRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings',
    staticData,
    // The preview shows a screen that speaks its own feature's texts.
    loader: () => loadTexts('tenants', 'auth'),
    component: lazyScreen(() => import('#features/tenants/tenant-page.tsx'), 'TenantPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/users',
    staticData,
    loader,
    component: lazyScreen(() => import('#features/tenants/tenant-users-page.tsx'), 'TenantUsersPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/domains',
    staticData,
    loader,
    component: lazyScreen(() => import('#features/tenants/domains-page.tsx'), 'DomainsPage'),
  }),
] as const;
