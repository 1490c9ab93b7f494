import type { Access } from '@portico/contract/permissions.ts';
import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute } from '@tanstack/react-router';
import type { ListSearch } from '#lib/search.ts';

/** The two routes that features hang their own on; app/router.tsx gives them the guard and the shell. */

export const rootRoute = createRootRouteWithContext<{ queries: QueryClient }>()({
  validateSearch: (search: Record<string, unknown>) => search as ListSearch,
});

export const shellRoute = createRoute({ getParentRoute: () => rootRoute, id: 'shell' });

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Who may open the screen; others see why not. */
    access?: Access;
  }
}
