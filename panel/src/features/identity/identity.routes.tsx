import { createRoute } from '@tanstack/react-router';
import type identity from '#features/identity/identity.en.json';
import { lazyScreen } from '#lib/chunk.ts';
import { loadTexts } from '#lib/i18n.ts';
import { shellRoute } from '#lib/routes.ts';

declare module '#lib/texts.ts' {
  interface Texts {
    identity: typeof identity;
  }
}

export const identityRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/reports/who-was-it',
    staticData: { access: 'view-identity' },
    loader: () => loadTexts('identity'),
    component: lazyScreen(() => import('#features/identity/who-was-it-page.tsx'), 'WhoWasItPage'),
  }),
] as const;
