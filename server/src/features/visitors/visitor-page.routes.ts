import type { visitorPageApi } from '@portico/contract/visitor-page.ts';
import type { Tx } from '#db/tenant.ts';
import { listSalesOf } from '#features/reports/public.ts';
import { attemptsOfVisitor, decryptParams, devicesOfVisitor, sessionsOfVisitor } from '#features/sessions/public.ts';
import { found } from '#http/app-error.ts';
import type { Handlers } from '#http/call.ts';
import { paged, type Rows } from '#http/page.ts';
import { listConsentsOf } from './visitor-page.queries.ts';
import { findVisitor, type StoredVisitor } from './visitors.queries.ts';
import type { Call } from './visitors.service.ts';

type OfVisitor = Call & { params: { id: string }; query: { page: number; per_page: number } };

/** A page of records of a visitor whom the caller may see. */
async function pageFor<T>(call: OfVisitor, list: (tx: Tx, visitor: StoredVisitor) => Promise<Rows<T>>) {
  const rows = await call.inTenant(async tx =>
    list(tx, found(await findVisitor(tx, call.actor.reach, call.params.id))),
  );
  return paged(call, rows);
}

/** Where the archive is asked too: what `list` of the sessions takes. */
const acrossFor = (call: OfVisitor) => {
  const { app, actor, params, query: at, inTenant } = call;
  const find = async (tx: Tx) => found(await findVisitor(tx, actor.reach, params.id));
  return [
    { app, tenantId: actor.tenantId, read: inTenant },
    { scope: actor.reach, find, at },
  ] as const;
};

export const visitorPageRoutes: Handlers<typeof visitorPageApi> = {
  sessions: async call => paged(call, await sessionsOfVisitor(...acrossFor(call))),
  devices: async call => paged(call, await devicesOfVisitor(...acrossFor(call))),
  sales: call => pageFor(call, (tx, { id }) => listSalesOf(tx, call.actor.reach, id, call.query)),
  consents: call => pageFor(call, (tx, { id }) => listConsentsOf(tx, id, call.query)),
  attempts: async call => {
    const { rows, total } = await attemptsOfVisitor(...acrossFor(call));
    return paged(call, { rows: rows.map(row => ({ ...row, params: decryptParams(call.app, row.params) })), total });
  },
};
