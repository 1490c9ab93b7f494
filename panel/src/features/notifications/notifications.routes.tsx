import { createRoute } from '@tanstack/react-router';
import { lazyScreen } from '#lib/chunk.ts';
import { loadTexts } from '#lib/i18n.ts';
import { shellRoute } from '#lib/routes.ts';

export const notificationRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/notifications',
    loader: () => loadTexts('notifications'),
    component: lazyScreen(() => import('#features/notifications/notifications-page.tsx'), 'NotificationsPage'),
  }),
] as const;
