import { createRoute } from '@tanstack/react-router';
import type devices from '#features/devices/devices.en.json';
import { lazyScreen } from '#lib/chunk.ts';
import { loadTexts } from '#lib/i18n.ts';
import { shellRoute } from '#lib/routes.ts';

declare module '#lib/texts.ts' {
  interface Texts {
    devices: typeof devices;
  }
}

const loader = () => loadTexts('devices');
const staticData = { access: 'view-devices' } as const;

export const deviceRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/devices',
    staticData,
    loader: () => loadTexts('devices', 'table'),
    component: lazyScreen(() => import('#features/devices/list/devices-page.tsx'), 'DevicesPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/devices/$deviceId',
    staticData,
    loader: () => loadTexts('devices', 'dashboard', 'logs', 'sessions'),
    component: lazyScreen(() => import('#features/devices/overview/device-page.tsx'), 'DevicePage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/devices/$deviceId/info',
    staticData,
    loader,
    component: lazyScreen(() => import('#features/devices/connection/device-info-page.tsx'), 'DeviceInfoPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/devices/$deviceId/edit',
    staticData: { access: ['view-devices', 'update-devices'] },
    loader,
    component: lazyScreen(() => import('#features/devices/device-edit-page.tsx'), 'DeviceEditPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/devices/$deviceId/networks',
    staticData,
    loader,
    component: lazyScreen(() => import('#features/devices/networks/device-networks-page.tsx'), 'DeviceNetworksPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/devices/$deviceId/logs',
    staticData,
    loader: () => loadTexts('devices', 'logs', 'sessions'),
    component: lazyScreen(() => import('#features/devices/device-logs-page.tsx'), 'DeviceLogsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/devices/$deviceId/macs',
    staticData,
    loader,
    component: lazyScreen(() => import('#features/devices/macs/device-macs-page.tsx'), 'DeviceMacsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/devices/$deviceId/certificates',
    staticData,
    loader,
    component: lazyScreen(
      () => import('#features/devices/certificates/device-certificates-page.tsx'),
      'DeviceCertificatesPage',
    ),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/devices/$deviceId/users',
    staticData: { access: ['view-devices', 'view-basic-stats'] },
    loader: () => loadTexts('devices', 'sessions'),
    component: lazyScreen(() => import('#features/devices/users/device-users-page.tsx'), 'DeviceUsersPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/devices/$deviceId/rules',
    staticData,
    loader,
    component: lazyScreen(() => import('#features/devices/networks/device-rules-page.tsx'), 'DeviceRulesPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/devices/$deviceId/license',
    staticData,
    loader,
    component: lazyScreen(() => import('#features/devices/licence/device-license-page.tsx'), 'DeviceLicensePage'),
  }),
] as const;
