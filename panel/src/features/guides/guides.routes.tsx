import { createRoute } from '@tanstack/react-router';
import { lazyScreen } from '#lib/chunk.ts';
import { loadTexts } from '#lib/i18n.ts';
import { shellRoute } from '#lib/routes.ts';

export const guideRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/guides/$slug',
    staticData: { access: 'signed-in' },
    loader: () => loadTexts('guides', 'devices'),
    component: lazyScreen(() => import('#features/guides/guide-page.tsx'), 'GuidePage'),
  }),
] as const;
