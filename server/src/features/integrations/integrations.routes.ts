import { integrationKinds } from '@portico/contract/integration-kinds.ts';
import { problemWords } from '@portico/contract/integration-problems.ts';
import type { integrationsApi } from '@portico/contract/integrations.ts';
import { webhookAccess } from '@portico/contract/webhook-access.ts';
import { actorIn } from '#features/locations/public.ts';
import { type Actor, allows, isLimited } from '#http/actor.ts';
import { found } from '#http/app-error.ts';
import type { Handlers } from '#http/call.ts';
import { paged } from '#http/page.ts';
import { listMessages } from '#sms/delivery-reports.queries.ts';
import { findIntegration, listIntegrations } from './integrations.queries.ts';
import {
  createIntegration,
  deleteIntegration,
  describe,
  getIntegration,
  requireManaged,
  rotateSecret,
  testAgain,
  testConnection,
  updateIntegration,
} from './integrations.service.ts';
import type { ProblemRow } from './problems.ts';
import { type DeliveryRow, listDeliveries, sendAgain, sendFailedAgain } from './webhook/deliveries.queries.ts';

/** A row with its problem in the caller's language. */
const worded = <T extends ProblemRow>({ problem, last_error, ...row }: T, language: 'tr' | 'en') => ({
  ...row,
  error: problem ? problemWords(problem, last_error ?? '', language) : last_error,
});

/** The body of a delivery needs what reading the same in the panel needs; other callers get its type and time only. */
const delivery = (row: DeliveryRow, { actor, language }: { actor: Actor; language: 'tr' | 'en' }) => {
  const reads = row.event === 'test' || allows(actor, webhookAccess(row.event));
  if (reads && !isLimited(actor)) return worded(row, language);
  const { type, timestamp } = JSON.parse(row.body) as { type: string; timestamp: string };
  return worded({ ...row, body: JSON.stringify({ type, timestamp }) }, language);
};

export const integrationsRoutes: Handlers<typeof integrationsApi> = {
  list: async call => {
    const { rows, total } = await call.inTenant(async tx =>
      listIntegrations(tx, (await actorIn(tx, call.actor, call.query)).scope, call.query),
    );
    return paged(call, { rows: rows.map(row => describe(call, row)), total });
  },
  available: call => {
    const { type, page, per_page } = call.query;
    const rows = integrationKinds.filter(it => type === undefined || it.type === type);
    return paged(call, { rows: rows.slice((page - 1) * per_page, page * per_page), total: rows.length });
  },
  test: async call => {
    const { to, ...connection } = call.body;
    return { data: await testConnection(call, connection, to) };
  },
  testAgain: async call => ({ data: await testAgain(call, call.params.id, call.body) }),
  create: async call => ({ data: await createIntegration(call, call.body) }),
  get: async call => ({ data: await getIntegration(call, call.params.id) }),
  update: async call => ({ data: await updateIntegration(call, call.params.id, call.body) }),
  delete: call => deleteIntegration(call, call.params.id),
  rotateSecret: async call => ({ data: await rotateSecret(call, call.params.id) }),
  deliveries: async call => {
    const { rows, total } = await call.inTenant(async tx => {
      found(await findIntegration(tx, call.actor.reach, call.params.id));
      return listDeliveries(tx, call.params.id, call.query);
    });
    return paged(call, { rows: rows.map(row => delivery(row, call)), total });
  },
  resend: ({ params, actor, inTenant, language }) =>
    inTenant(async tx => {
      await requireManaged(tx, actor, params.id);
      return { data: delivery(found(await sendAgain(tx, params.id, params.deliveryId)), { actor, language }) };
    }),
  resendFailed: ({ params, body, actor, inTenant }) =>
    inTenant(async tx => {
      await requireManaged(tx, actor, params.id);
      return { data: { count: await sendFailedAgain(tx, params.id, body.since) } };
    }),
  messages: async call => {
    const { rows, total } = await call.inTenant(async tx => {
      found(await findIntegration(tx, call.actor.reach, call.params.id));
      return listMessages(tx, call.params.id, call.query);
    });
    return paged(call, { rows: rows.map(row => worded(row, call.language)), total });
  },
};
