import type { customersApi } from '@portico/contract/customers.ts';
import type { Handlers } from '#http/call.ts';
import { paged } from '#http/page.ts';
import { countCustomers, listCustomerStates } from './customers.queries.ts';
import { extendLicences, handOver, resumeCustomer, suspendCustomer } from './customers.service.ts';
import { exportCustomers } from './customers-file.ts';

export const customersRoutes: Handlers<typeof customersApi> = {
  overview: async call => {
    const { actor, query, reply } = call;
    if (query.download) {
      reply.header('content-disposition', 'attachment; filename="customers.csv"');
      return exportCustomers(call, actor, query);
    }
    const [rows, { total, ...totals }] = await call.read(tx =>
      Promise.all([listCustomerStates(tx, actor, query), countCustomers(tx, actor, query)]),
    );
    return { ...paged(call, { rows, total }), totals };
  },
  extend: async ({ actor, body, inTenant }) => ({
    data: { licensed: await inTenant(tx => extendLicences(tx, actor, body)) },
  }),
  suspend: async ({ actor, params, inTenant }) => ({
    data: await inTenant(tx => suspendCustomer(tx, actor, params.id)),
  }),
  resume: async ({ actor, params, inTenant }) => ({
    data: await inTenant(tx => resumeCustomer(tx, actor, params.id)),
  }),
  handOver: ({ actor, params, body, inTenant }) => inTenant(tx => handOver(tx, actor, params.id, body.email)),
};
