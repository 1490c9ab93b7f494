import { createRoute } from '@tanstack/react-router';
import type visitor from '#features/visitors/visitor.en.json';
import type visitors from '#features/visitors/visitors.en.json';
import { lazyScreen } from '#lib/chunk.ts';
import { loadTexts } from '#lib/i18n.ts';
import { shellRoute } from '#lib/routes.ts';

declare module '#lib/texts.ts' {
  interface Texts {
    visitor: typeof visitor;
    visitors: typeof visitors;
  }
}

const ofVisitor = {
  staticData: { access: 'view-clients' },
  loader: () => loadTexts('visitor', 'visitors', 'sessions', 'dashboard', 'reports', 'consents'),
} as const;

export const visitorRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/visitors',
    staticData: { access: 'view-clients' },
    loader: () => loadTexts('visitors', 'visitor', 'table'),
    component: lazyScreen(() => import('#features/visitors/visitors-page.tsx'), 'VisitorsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/visitors/$visitorId',
    ...ofVisitor,
    component: lazyScreen(() => import('#features/visitors/visitor-page.tsx'), 'VisitorSessionsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/visitors/$visitorId/devices',
    ...ofVisitor,
    component: lazyScreen(() => import('#features/visitors/visitor-page.tsx'), 'VisitorDevicesPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/visitors/$visitorId/sales',
    ...ofVisitor,
    component: lazyScreen(() => import('#features/visitors/visitor-page.tsx'), 'VisitorSalesPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/visitors/$visitorId/consents',
    ...ofVisitor,
    component: lazyScreen(() => import('#features/visitors/visitor-page.tsx'), 'VisitorConsentsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/visitors/$visitorId/failed-logins',
    ...ofVisitor,
    component: lazyScreen(() => import('#features/visitors/visitor-page.tsx'), 'VisitorAttemptsPage'),
  }),
] as const;
