import { createRoute } from '@tanstack/react-router';
import type notifications from '#features/notifications/notifications.en.json';
import { lazyScreen } from '#lib/chunk.ts';
import { loadTexts } from '#lib/i18n.ts';
import { shellRoute } from '#lib/routes.ts';

declare module '#lib/texts.ts' {
  interface Texts {
    notifications: typeof notifications;
  }
}

export const notificationRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/notifications',
    loader: () => loadTexts('notifications'),
    component: lazyScreen(() => import('#features/notifications/notifications-page.tsx'), 'NotificationsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/notifications/open',
    loader: () => loadTexts('notifications'),
    component: lazyScreen(() => import('#features/notifications/open-elsewhere-page.tsx'), 'OpenElsewherePage'),
  }),
] as const;
