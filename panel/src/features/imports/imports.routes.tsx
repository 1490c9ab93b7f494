import { createRoute } from '@tanstack/react-router';
import type imports from '#features/imports/imports.en.json';
import { lazyScreen } from '#lib/chunk.ts';
import { loadTexts } from '#lib/i18n.ts';
import { shellRoute } from '#lib/routes.ts';

declare module '#lib/texts.ts' {
  interface Texts {
    imports: typeof imports;
  }
}

const common = {
  staticData: { access: 'store-clients' },
  loader: () => loadTexts('imports', 'visitors', 'csv-import'),
} as const;

export const importRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/visitors/import',
    ...common,
    component: lazyScreen(() => import('#features/imports/imports-page.tsx'), 'ImportsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/visitors/import/$importId',
    ...common,
    component: lazyScreen(() => import('#features/imports/import-page.tsx'), 'ImportPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/reports/imported-sessions',
    staticData: { access: 'view-basic-stats' },
    loader: () => loadTexts('imports', 'sessions', 'table'),
    component: lazyScreen(() => import('#features/imports/imported-sessions-page.tsx'), 'ImportedSessionsPage'),
  }),
] as const;
