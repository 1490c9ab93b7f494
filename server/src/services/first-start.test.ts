import { expect, test } from 'vitest';
import { migrate } from '#db/migrate.ts';
import { createPool } from '#db/pool.ts';
import { createDatabase } from '#db/tenant.ts';
import { freshDatabase } from '#test/database.ts';
import { readSettings, type Settings } from '../settings.ts';
import { firstStart } from './first-start.ts';

test.each([{}, { ADMIN_EMAIL: 'owner@example.com', ADMIN_PASSWORD: 'a long password' }])(
  'ten processes that start at once on an empty database create one tenant and one administrator (%j)',
  async environment => {
    const { url } = await freshDatabase({ empty: true });
    const settings = readSettings({
      environment: { NODE_ENV: 'test', ...environment },
      folder: '/nowhere',
    }) as Settings;
    const pools = Array.from({ length: 10 }, () => createPool(url, { max: 3, onError: () => undefined }));
    try {
      const started = await Promise.all(
        pools.map(async pool => {
          await migrate(pool);
          return firstStart({ db: createDatabase(pool), settings });
        }),
      );
      expect(new Set(started.map(it => it.tenantId)).size).toBe(1);
      expect(started.filter(it => it.made)).toHaveLength('ADMIN_PASSWORD' in environment ? 0 : 1);
      const { rows } = await pools[0]!.query('select (select count(*)::int from tenants) as tenants, email from users');
      expect(rows).toEqual([{ tenants: 1, email: environment.ADMIN_EMAIL ?? 'admin@portico.local' }]);
    } finally {
      await Promise.all(pools.map(pool => pool.end()));
    }
  },
);
