import type { statisticsApi } from '@portico/contract/statistics.ts';
import type { Handlers } from '#http/call.ts';
import { agents, health, lastDay, overview, problems, setup, visits } from './statistics.service.ts';

export const statisticsRoutes: Handlers<typeof statisticsApi> = {
  overview: async ({ actor, query, inTenant }) => ({ data: await inTenant(tx => overview(tx, actor, query)) }),
  platforms: ({ actor, query, inTenant }) => inTenant(tx => agents(tx, actor, query, 'platform')),
  browsers: ({ actor, query, inTenant }) => inTenant(tx => agents(tx, actor, query, 'browser')),
  devices: ({ actor, query, inTenant }) => inTenant(tx => agents(tx, actor, query, 'device')),
  problems: async ({ actor, query, inTenant }) => ({ data: await inTenant(tx => problems(tx, actor, query)) }),
  health: ({ actor, inTenant }) => inTenant(tx => health(tx, actor)),
  lastDay: async ({ actor, query, inTenant }) => ({ data: await inTenant(tx => lastDay(tx, actor, query)) }),
  setup: async ({ actor, query, inTenant }) => ({ data: await inTenant(tx => setup(tx, actor, query)) }),
  visits: ({ actor, query, inTenant }) => inTenant(tx => visits(tx, actor, query)),
};
