import { createRoute, redirect } from '@tanstack/react-router';
import { lazyScreen } from '#lib/chunk.ts';
import { loadTexts } from '#lib/i18n.ts';
import { shellRoute } from '#lib/routes.ts';

const loader = () => loadTexts('devices');
const staticData = { access: 'view-devices' } as const;

export const deviceRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/devices',
    staticData,
    loader,
    component: lazyScreen(() => import('#features/devices/devices-page.tsx'), 'DevicesPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/devices/$deviceId',
    beforeLoad: ({ params }) => {
      throw redirect({ to: '/devices/$deviceId/info', params, replace: true });
    },
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/devices/$deviceId/info',
    staticData,
    loader,
    component: lazyScreen(() => import('#features/devices/device-info-page.tsx'), 'DeviceInfoPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/devices/$deviceId/edit',
    staticData: { access: 'update-devices' },
    loader,
    component: lazyScreen(() => import('#features/devices/device-edit-page.tsx'), 'DeviceEditPage'),
  }),
] as const;
