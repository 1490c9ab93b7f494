import { integrationKinds, type integrationsApi } from '@portico/contract/integrations.ts';
import { found } from '#http/app-error.ts';
import type { Handlers } from '#http/call.ts';
import { paged } from '#http/page.ts';
import { findIntegration, listIntegrations } from './integrations.queries.ts';
import {
  createIntegration,
  deleteIntegration,
  describe,
  testConnection,
  updateIntegration,
} from './integrations.service.ts';

export const integrationsRoutes: Handlers<typeof integrationsApi> = {
  list: async call => {
    const { rows, total } = await call.inTenant(tx => listIntegrations(tx, call.actor.scope, call.query));
    return paged(call, { rows: rows.map(row => describe(call.app, row)), total });
  },
  available: call => {
    const { type, page, per_page } = call.query;
    const rows = integrationKinds.filter(it => type === undefined || it.type === type);
    return paged(call, { rows: rows.slice((page - 1) * per_page, page * per_page), total: rows.length });
  },
  test: async ({ app, body }) => ({ data: await testConnection(app, body) }),
  create: async call => ({ data: await createIntegration(call, call.body) }),
  get: async ({ app, actor, params, inTenant }) => ({
    data: describe(app, found(await inTenant(tx => findIntegration(tx, actor.reach, params.id)))),
  }),
  update: async call => ({ data: await updateIntegration(call, call.params.id, call.body) }),
  delete: call => deleteIntegration(call, call.params.id),
};
