import { createRoute } from '@tanstack/react-router';
import type guides from '#features/guides/guides.en.json';
import { lazyScreen } from '#lib/chunk.ts';
import { loadTexts } from '#lib/i18n.ts';
import { shellRoute } from '#lib/routes.ts';

declare module '#lib/texts.ts' {
  interface Texts {
    guides: typeof guides;
  }
}

export const guideRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/guides/$slug',
    staticData: { access: 'signed-in' },
    loader: () => loadTexts('guides', 'devices'),
    component: lazyScreen(() => import('#features/guides/guide-page.tsx'), 'GuidePage'),
  }),
] as const;
