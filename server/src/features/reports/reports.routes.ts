import type { reportsApi } from '@portico/contract/reports.ts';
import { actorIn } from '#features/locations/public.ts';
import type { Handlers } from '#http/call.ts';
import type { Period } from './reports.queries.ts';
import { salesByMonth, totalSales } from './reports.service.ts';

type Routes = Handlers<typeof reportsApi>;

const total =
  (period: Period): Routes['today'] =>
  async ({ actor, query, read }) => ({
    data: await read(async tx => totalSales(tx, await actorIn(tx, actor, query), period)),
  });

export const reportsRoutes: Routes = {
  byMonth: async ({ actor, query, read }) => ({
    data: await read(async tx => salesByMonth(tx, await actorIn(tx, actor, query))),
  }),
  today: total('day'),
  week: total('week'),
  month: total('month'),
  year: total('year'),
};
