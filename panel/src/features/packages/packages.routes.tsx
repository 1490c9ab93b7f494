import { createRoute } from '@tanstack/react-router';
import type packages from '#features/packages/packages.en.json';
import { lazyScreen } from '#lib/chunk.ts';
import { loadTexts } from '#lib/i18n.ts';
import { shellRoute } from '#lib/routes.ts';

declare module '#lib/texts.ts' {
  interface Texts {
    packages: typeof packages;
  }
}

const loader = () => loadTexts('packages', 'table');

export const packageRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/packages',
    staticData: { access: 'read-profiles' },
    loader,
    component: lazyScreen(() => import('#features/packages/packages-page.tsx'), 'PackagesPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/packages/purchases',
    staticData: { access: 'view-clients' },
    loader,
    component: lazyScreen(() => import('#features/packages/purchases-page.tsx'), 'PurchasesPage'),
  }),
] as const;
