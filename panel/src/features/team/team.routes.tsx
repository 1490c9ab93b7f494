import { createRoute } from '@tanstack/react-router';
import type team from '#features/team/team.en.json';
import { lazyScreen } from '#lib/chunk.ts';
import { loadTexts } from '#lib/i18n.ts';
import { shellRoute } from '#lib/routes.ts';

declare module '#lib/texts.ts' {
  interface Texts {
    team: typeof team;
  }
}

export const teamRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/locations/$locationId/edit/users',
    staticData: { access: 'read-location' },
    loader: () => loadTexts('locations', 'team'),
    component: lazyScreen(() => import('#features/team/team-page.tsx'), 'TeamPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/roles',
    staticData: { access: 'read-tenant' },
    loader: () => loadTexts('tenants', 'team'),
    component: lazyScreen(() => import('#features/team/tenant-roles-page.tsx'), 'TenantRolesPage'),
  }),
] as const;
