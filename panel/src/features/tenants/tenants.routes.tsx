import { createRoute } from '@tanstack/react-router';
import type tenants from '#features/tenants/tenants.en.json';
import { lazyScreen } from '#lib/chunk.ts';
import { loadTexts } from '#lib/i18n.ts';
import { shellRoute } from '#lib/routes.ts';

declare module '#lib/texts.ts' {
  interface Texts {
    tenants: typeof tenants;
  }
}

const staticData = { access: 'read-tenant' } as const;
const loader = () => loadTexts('tenants');

export const tenantRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings',
    staticData,
    // The preview shows a sign-in screen, which uses the texts of `auth`.
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
