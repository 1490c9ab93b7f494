import { createRoute } from '@tanstack/react-router';
import type locations from '#features/locations/locations.en.json';
import { lazyScreen } from '#lib/chunk.ts';
import { loadTexts } from '#lib/i18n.ts';
import { shellRoute } from '#lib/routes.ts';

declare module '#lib/texts.ts' {
  interface Texts {
    locations: typeof locations;
  }
}

const loader = () => loadTexts('locations');

export const locationRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/locations',
    loader: () => loadTexts('locations', 'table'),
    component: lazyScreen(() => import('#features/locations/locations-page.tsx'), 'LocationsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/locations/$locationId/edit',
    loader,
    component: lazyScreen(() => import('#features/locations/location-page.tsx'), 'LocationPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/locations/$locationId/edit/sessions',
    loader,
    component: lazyScreen(() => import('#features/locations/session-settings-page.tsx'), 'SessionSettingsPage'),
  }),
] as const;
