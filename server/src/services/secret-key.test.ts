import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { newId } from '#lib/ids.ts';
import { hashKeysOf } from '#lib/secrets.ts';
import { startApp } from '#test/harness.ts';

const app = await startApp();

test('keys of a tenant whose notice was not heard are read when the process listens again', async () => {
  const [tenant, keys] = [newId(), hashKeysOf('the key of another installation')];
  expect(app.secrets.ofTenant(tenant).keys).not.toEqual(keys);
  await app.db.withSystem(tx =>
    tx.run(
      sql`insert into tenant_keys (tenant, keys) values (${tenant}, ${app.secrets.encrypt(JSON.stringify(keys))})`,
    ),
  );
  await app.db.pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'portico changes'`);
  // The check that does not need a notice comes every 30 s.
  await expect.poll(() => app.secrets.ofTenant(tenant).keys).toEqual(keys);
});
