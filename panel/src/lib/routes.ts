import type { Access } from '@portico/contract/permissions.ts';
import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute } from '@tanstack/react-router';
import { guard } from '#lib/guard.ts';
import { loadTexts } from '#lib/i18n.ts';
import type { ListSearch } from '#lib/search.ts';

/** The parent routes of all features; app/router.tsx sets their components. */

export const rootRoute = createRootRouteWithContext<{ queries: QueryClient }>()({
  validateSearch: (search: Record<string, unknown>) => search as ListSearch,
});

export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  beforeLoad: guard,
  loader: () => loadTexts('shell'),
});

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The required access, all of it. Users without it see an explanation, and the screen loads nothing. */
    access?: Access | readonly Access[];
  }
}
