import { createRoute } from '@tanstack/react-router';
import type consents from '#features/consents/consents.en.json';
import { lazyScreen } from '#lib/chunk.ts';
import { loadTexts } from '#lib/i18n.ts';
import { shellRoute } from '#lib/routes.ts';

declare module '#lib/texts.ts' {
  interface Texts {
    consents: typeof consents;
  }
}

export const consentRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/consents',
    staticData: { access: 'view-clients' },
    loader: () => loadTexts('consents', 'table'),
    component: lazyScreen(() => import('#features/consents/consents-page.tsx'), 'ConsentsPage'),
  }),
] as const;
