import { createRoute } from '@tanstack/react-router';
import type integrations from '#features/integrations/integrations.en.json';
import { lazyScreen } from '#lib/chunk.ts';
import { loadTexts } from '#lib/i18n.ts';
import { shellRoute } from '#lib/routes.ts';

declare module '#lib/texts.ts' {
  interface Texts {
    integrations: typeof integrations;
  }
}

const loader = () => loadTexts('integrations');

export const integrationRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/integrations',
    staticData: { access: 'view-integrations' },
    loader,
    component: lazyScreen(() => import('#features/integrations/integrations-page.tsx'), 'IntegrationsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/integrations/$integrationId/edit',
    staticData: { access: 'view-integrations' },
    loader,
    component: lazyScreen(() => import('#features/integrations/integration-edit-page.tsx'), 'IntegrationEditPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/integrations/$integrationId/edit/deliveries',
    staticData: { access: 'view-integrations' },
    loader,
    component: lazyScreen(() => import('#features/integrations/deliveries-page.tsx'), 'DeliveriesPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/integrations/$integrationId/edit/messages',
    staticData: { access: 'view-integrations' },
    loader,
    component: lazyScreen(() => import('#features/integrations/messages-page.tsx'), 'MessagesPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/integrations/$integrationId/edit/charges',
    staticData: { access: 'view-integrations' },
    loader,
    component: lazyScreen(() => import('#features/integrations/charges-page.tsx'), 'ChargesPage'),
  }),
] as const;
