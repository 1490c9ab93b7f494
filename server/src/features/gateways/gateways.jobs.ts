import type { App } from '#lib/app.ts';
import { deleteForgotten } from './gateways.queries.ts';

export const gatewayJobs = [
  {
    name: 'forget unfetched permissions',
    everyMs: 300_000,
    run: async (app: App) => {
      await app.db.withSystem(deleteForgotten);
    },
  },
];
