import type { reportsApi } from '@portico/contract/reports.ts';
import type { Handlers } from '#http/call.ts';
import type { Period } from './reports.queries.ts';
import { salesByMonth, totalSales } from './reports.service.ts';

type Routes = Handlers<typeof reportsApi>;

const total =
  (period: Period): Routes['today'] =>
  async ({ actor, query, read }) => ({
    data: await read(tx => totalSales(tx, actor, { period, locationId: query.location_id })),
  });

export const reportsRoutes: Routes = {
  byMonth: async ({ actor, query, read }) => ({
    data: await read(tx => salesByMonth(tx, actor, query.location_id)),
  }),
  today: total('day'),
  week: total('week'),
  month: total('month'),
  year: total('year'),
};
