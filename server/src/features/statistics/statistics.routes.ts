import type { statisticsApi } from '@portico/contract/statistics.ts';
import type { Handlers } from '#http/call.ts';
import { agents, health, lastDay, overview, problems, setup, visits } from './statistics.service.ts';

export const statisticsRoutes: Handlers<typeof statisticsApi> = {
  overview: async ({ actor, query, read }) => ({ data: await read(tx => overview(tx, actor, query)) }),
  platforms: ({ actor, query, read }) => read(tx => agents(tx, actor, query, 'platform')),
  browsers: ({ actor, query, read }) => read(tx => agents(tx, actor, query, 'browser')),
  devices: ({ actor, query, read }) => read(tx => agents(tx, actor, query, 'device')),
  problems: async ({ read, ...asked }) => ({ data: await read(tx => problems(tx, asked)) }),
  health: ({ read, ...asked }) => read(tx => health(tx, asked)),
  lastDay: async ({ actor, query, read }) => ({ data: await read(tx => lastDay(tx, actor, query)) }),
  setup: async ({ actor, query, read }) => ({ data: await read(tx => setup(tx, actor, query)) }),
  visits: ({ actor, query, read }) => read(tx => visits(tx, actor, query)),
};
