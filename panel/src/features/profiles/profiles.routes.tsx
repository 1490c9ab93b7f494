import { createRoute } from '@tanstack/react-router';
import type profiles from '#features/profiles/profiles.en.json';
import { lazyScreen } from '#lib/chunk.ts';
import { loadTexts } from '#lib/i18n.ts';
import { shellRoute } from '#lib/routes.ts';

declare module '#lib/texts.ts' {
  interface Texts {
    profiles: typeof profiles;
  }
}

export const profileRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/locations/$locationId/edit/user-profiles',
    staticData: { access: 'read-profiles' },
    loader: () => loadTexts('locations', 'profiles'),
    component: lazyScreen(() => import('#features/profiles/profiles-page.tsx'), 'ProfilesPage'),
  }),
] as const;
