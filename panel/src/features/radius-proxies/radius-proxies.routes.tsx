import { createRoute } from '@tanstack/react-router';
import type radiusProxies from '#features/radius-proxies/radius-proxies.en.json';
import { lazyScreen } from '#lib/chunk.ts';
import { loadTexts } from '#lib/i18n.ts';
import { shellRoute } from '#lib/routes.ts';

declare module '#lib/texts.ts' {
  interface Texts {
    'radius-proxies': typeof radiusProxies;
  }
}

export const radiusProxyRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/radius-proxies',
    staticData: { access: 'read-tenant' },
    loader: () => loadTexts('tenants', 'radius-proxies'),
    component: lazyScreen(() => import('#features/radius-proxies/radius-proxies-page.tsx'), 'RadiusProxiesPage'),
  }),
] as const;
