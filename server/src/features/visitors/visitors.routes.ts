import type { Language } from '@portico/contract/errors.ts';
import { say } from '@portico/contract/validation.ts';
import type { visitorsApi } from '@portico/contract/visitors.ts';
import { listScope } from '#http/actor.ts';
import type { Handlers } from '#http/call.ts';
import { paged } from '#http/page.ts';
import { createVisitors } from './bulk.service.ts';
import { exportVisitors } from './export.service.ts';
import { listVisitors } from './visitors.queries.ts';
import { createVisitor, deleteVisitor, getVisitor, identity, updateVisitor } from './visitors.service.ts';

/** Two names in the API for the search: `query` (document 2) and `search`. */
const named = <F extends { search?: string | undefined; query?: string | undefined }>({ query, ...filter }: F) => ({
  ...filter,
  search: filter.search || query,
});

/** Warns if more days were sent than count. */
const unsold = (sent: number | undefined, days: number, language: Language): string[] =>
  sent === undefined || sent <= days ? [] : [say('days_not_sold', language)];

export const visitorsRoutes: Handlers<typeof visitorsApi> = {
  list: async call => {
    const scope = listScope(call.actor, call.query);
    const filter = named(call.query);
    const showCitizen = (encrypted: string) => identity(call.app.secrets, call.actor, encrypted);
    return paged(call, await call.read(tx => listVisitors(tx, scope, filter, showCitizen)));
  },
  create: async call => {
    const data = await createVisitor(call, call.body);
    return { data, warnings: unsold(call.body.total_paid_day, data.total_paid_day, call.language) };
  },
  bulk: async call => {
    const { made, days } = await createVisitors(call, call.body);
    return { data: made, warnings: unsold(call.body.total_paid_day, days, call.language) };
  },
  export: call => {
    call.reply.header('content-disposition', 'attachment; filename="user-list.csv"');
    return exportVisitors(call, named({ ...call.query, ...call.body }));
  },
  get: async call => ({ data: await getVisitor(call, call.params.id) }),
  update: async call => {
    const data = await updateVisitor(call, call.params.id, call.body);
    return { data, warnings: unsold(call.body.total_paid_day, data.total_paid_day, call.language) };
  },
  delete: call => deleteVisitor(call, call.params.id),
};
