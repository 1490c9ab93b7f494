import type { App } from '#lib/app.ts';
import { listAll } from './unknown-devices.queries.ts';

/** For the operator of the installation, who sees those of all tenants and those of none. */
export const unknownDeviceCommands = {
  'device unknown': {
    about: 'list routers that send RADIUS packets but were not added, in the last two hours',
    options: {},
    async run({ db }: Pick<App, 'db'>, _values: unknown, print: (line: string) => void): Promise<number> {
      const found = await db.withSystem(listAll);
      for (const it of found) {
        const via = it.proxy === null ? '' : `  through ${it.proxy} of ${it.tenant}`;
        const name = it.nas_identifier ?? '(no NAS-Identifier)';
        print(`${new Date(it.last_at).toISOString()}  ${it.address}  ${name}  ${it.packets} packets${via}`);
      }
      if (found.length === 0) print('No unknown device sent a packet in the last two hours');
      return 0;
    },
  },
};
