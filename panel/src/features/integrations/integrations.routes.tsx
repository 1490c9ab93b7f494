import { createRoute } from '@tanstack/react-router';
import { lazyScreen } from '#lib/chunk.ts';
import { loadTexts } from '#lib/i18n.ts';
import { shellRoute } from '#lib/routes.ts';

export const integrationRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/integrations',
    staticData: { access: 'view-integrations' },
    loader: () => loadTexts('integrations'),
    component: lazyScreen(() => import('#features/integrations/integrations-page.tsx'), 'IntegrationsPage'),
  }),
] as const;
