import { createRoute } from '@tanstack/react-router';
import type sso from '#features/sso/sso.en.json';
import { lazyScreen } from '#lib/chunk.ts';
import { loadTexts } from '#lib/i18n.ts';
import { shellRoute } from '#lib/routes.ts';

declare module '#lib/texts.ts' {
  interface Texts {
    sso: typeof sso;
  }
}

const staticData = { access: 'read-tenant' } as const;
const loader = () => loadTexts('tenants', 'sso');

export const ssoRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/sso',
    staticData,
    loader,
    component: lazyScreen(() => import('#features/sso/sso-page.tsx'), 'SsoPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/sso/accounts',
    staticData,
    loader,
    component: lazyScreen(() => import('#features/sso/sso-links-page.tsx'), 'SsoLinksPage'),
  }),
] as const;
