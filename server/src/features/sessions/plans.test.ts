import sql, { type Sql } from 'sql-template-tag';
import { expect, test } from 'vitest';
import type { Tx } from '#db/tenant.ts';
import { startApp } from '#test/harness.ts';
import { findFailures, listFailedLogins } from './failed-logins.queries.ts';
import { findClients } from './found.queries.ts';
import { listByMac, listHistory, listOnline } from './sessions.queries.ts';
import { makeScene } from './testing/scene.ts';

const app = await startApp();
const scene = await makeScene(app);
// Enough sessions of other tenants that the planner prefers an index.
await app.db.pool.query(
  `insert into session_history (tenant_id, id, accounting_id, location_id, device_id, visitor_id, user_name, acct_session_id, client_mac,
     client_ip, started_at, ended_at, seconds, upload, download, interim, reopened, day, close_reason)
   select $1, new_id(), int8send(g), case g % 3 when 0 then $2::uuid else gen_random_uuid() end, $3, gen_random_uuid(), '', g::text,
     ('02' || lpad(to_hex(g % 900), 10, '0'))::macaddr, '10.0.0.0'::inet + g % 800, now() - g * interval '6 minutes', now(), 1, 1, 1, 60, false,
     current_date, 'stop'
   from generate_series(1, 8000) g`,
  [scene.tenantId, scene.locationId, scene.device.id],
);
await app.db.pool.query(
  `insert into online_sessions (tenant_id, accounting_id, location_id, device_id, acct_session_id, client_mac, client_ip, started_at,
     updated_at, interim, day, hour_ends_at)
   select $1, int8send(-g), case g % 9 when 0 then $2::uuid else gen_random_uuid() end, $3, g::text, ('04' || lpad(to_hex(g), 10, '0'))::macaddr, '10.9.0.0'::inet + g, now() - g * interval '1 second',
     now(), 60, current_date, now() + interval '1 day'
   from generate_series(1, 900) g`,
  [scene.tenantId, scene.locationId, scene.device.id],
);
await app.db.pool.query(
  `with other as (insert into locations (tenant_id, id, name, trial_end_at) values ($1, new_id(), 'Another', now()) returning id)
   insert into failed_logins (tenant_id, location_id, provider_slug, params, typed_hash, reason, created_at)
   select $1, case g % 9 when 0 then $2::uuid else other.id end, 'username', '{}', int8send(g), 'wrong_credentials',
     now() - g * interval '1 hour'
   from generate_series(1, 1500) g, other`,
  [scene.tenantId, scene.locationId],
);
await app.db.pool.query('analyze session_history, online_sessions, failed_logins');
const scope = { kind: 'locations', ids: [scene.locationId], deviceIds: null } as const;
const here = { scope, readsPersonalData: true };
const everywhere = { scope: { kind: 'tenant' }, readsPersonalData: true } as const;
const paging = { page: 1, per_page: 100 };
const month = { since: new Date(Date.now() - 30 * 86_400_000).toISOString(), until: new Date().toISOString() };

/** The query plans of `work`, with sequential scans made expensive. */
async function plansOf(work: (tx: Tx) => Promise<unknown>): Promise<string> {
  return scene.inTenant(async real => {
    await real.run(sql`set local enable_seqscan = off`);
    const plans: string[] = [];
    const explain = async (query: Sql) => {
      const rows = await real.many<Record<string, string>>(
        sql([`explain ${query.strings[0]}`, ...query.strings.slice(1)], ...query.values),
      );
      plans.push(rows.map(row => row['QUERY PLAN']).join('\n'));
    };
    const spy = {
      useGenericPlans: () => undefined,
      // Full pages, so that the lists count the remaining rows.
      many: async (query: Sql) => {
        await explain(query);
        return Array.from({ length: paging.per_page }, () => ({}));
      },
      nested: async (query: Sql) => {
        await explain(query);
        return Array.from({ length: paging.per_page });
      },
      one: async (query: Sql) => {
        await explain(query);
        return {};
      },
    } as unknown as Tx;
    await work(spy);
    return plans.join('\n');
  });
}

test.each<[string, (tx: Tx) => Promise<unknown>, RegExp[]]>([
  ['online of a tenant', tx => listOnline(tx, everywhere, paging), [/online_sessions_newest/]],
  ['online of a location', tx => listOnline(tx, here, paging), [/online_sessions_location/]],
  ['online, oldest first', tx => listOnline(tx, here, { ...paging, order: 'asc' }), [/online_sessions_location/]],
  [
    'history, oldest first',
    tx => listHistory(tx, here, { ...paging, ...month, order: 'asc' }),
    [/Scan using \w*tenant_id_location_id_started_at_idx/],
  ],
  [
    'history of a tenant',
    tx => listHistory(tx, everywhere, { ...paging, ...month }),
    [/Scan Backward using session_history_\w+_tenant_id_started_at_idx/],
  ],
  [
    'history of a location',
    tx => listHistory(tx, here, { ...paging, ...month }),
    [/Scan Backward using \w*tenant_id_location_id_started_at_idx/],
  ],
  [
    'history of a MAC',
    tx => listHistory(tx, everywhere, { ...paging, ...month, client_mac: 'A0:00:00:00:00:01' }),
    [/session_history_\d+_\d+_client_mac_idx/, /online_sessions_mac/],
  ],
  [
    'history of an address',
    tx => listHistory(tx, everywhere, { ...paging, ...month, user_ip: '10.5.50.9' }),
    [/tenant_id_client_ip_started_at_idx/, /online_sessions_ip/],
  ],
  [
    'history of named visitors',
    tx => listHistory(tx, everywhere, { ...paging, ...month, search: 'ada' }),
    [/session_history_\d+_\d+_visitor_id_idx/, /online_sessions_visitor/],
  ],
  [
    'history of a maker, a session id or a visitor',
    tx => listHistory(tx, everywhere, { ...paging, ...month, search: '02ab00' }),
    [
      /session_history_\d+_\d+_visitor_id_idx/,
      /session_history_\d+_\d+_client_mac_idx/,
      /session_history_\d+_\d+_tenant_id_acct_session_id_idx/,
      ...[/online_sessions_visitor/, /online_sessions_mac/, /online_sessions_acct/],
    ],
  ],
  [
    'sessions and devices found by the beginning of a MAC address and of an id',
    tx => findClients(tx, everywhere, '02ab00', 6),
    [/session_history_\d+_\d+_tenant_id_acct_session_id_idx/, /guest_devices_pkey/],
  ],
  [
    'sessions found by a short id',
    tx => findClients(tx, everywhere, '12', 6),
    [
      ...[/session_history_\d+_\d+_tenant_id_acct_session_id_idx/, /online_sessions_acct/],
      // Older months come after newer ones, and only if these have too few.
      /Limit [^\n]*\n *-> {2}Nested Loop [^\n]*\n *-> {2}Values Scan/,
    ],
  ],
  ['guest devices', tx => listByMac(tx, here, paging), [/guest_devices_location/]],
  [
    'guest devices, least often first',
    tx => listByMac(tx, here, { ...paging, order: 'asc' }),
    [/guest_devices_location/],
  ],
  [
    'failed sign-ins',
    tx => listFailedLogins(tx, scope, { ...paging, ...month, zone: 'Europe/Istanbul' }),
    [/failed_logins_location/],
  ],
  [
    'failed sign-ins with a name',
    tx => findFailures(tx, scope, { typed: Buffer.alloc(8, 1) }, 6),
    [/failed_logins_typed/],
  ],
])('%s: found by index, in order', async (_, work, indexes) => {
  const plans = await plansOf(work);
  for (const index of indexes) expect(plans).toMatch(index);
  expect(plans).not.toMatch(/Seq Scan on (online_sessions|session_history|failed_logins|guest_devices)/);
});

test('months outside the period are not read', async () => {
  const plans = await plansOf(tx =>
    listHistory(tx, everywhere, { ...paging, since: '2020-01-01', until: '2020-02-01' }),
  );
  expect(plans).not.toMatch(/session_history_\d/);
});

test('an interim update touches no index', async () => {
  await scene.send('start', { ago: 60 });
  // So few that all versions of the row fit into its page, also while an old snapshot keeps PostgreSQL from pruning it.
  for (let up = 1; up < 10; up++) await scene.send('interim', { up });
  const warm = async () => {
    const { rows } = await app.db.pool.query(
      `select n_tup_upd as updates, n_tup_hot_upd as hot from pg_stat_user_tables where relname = 'online_sessions'`,
    );
    return rows[0].updates > 0 && rows[0].updates === rows[0].hot;
  };
  // PostgreSQL counts with a delay of about a second, and of ten where the connection then rests.
  await expect.poll(warm).toBe(true);
});
