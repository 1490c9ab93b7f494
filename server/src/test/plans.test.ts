import type { Sql } from 'sql-template-tag';
import { beforeAll, expect, test } from 'vitest';
import type { Tx, WithTenant } from '#db/tenant.ts';
import { startApi, type TestApi } from './harness.ts';
import { setScene } from './scene.ts';

/*
 * Requests every list of growing data over HTTP, on tables with enough rows for realistic plans, most of them of another
 * tenant. Each statement is then explained in the role and tenant of the request. None may scan a growing table.
 */
const rows = 12_000;
const growing = [
  ...[
    'online_sessions',
    'session_history\\w*',
    'session_days',
    'session_hours',
    'visitor_days',
    'visitor_device_days',
    'guest_devices',
    'guest_agent_days',
  ],
  ...[
    'visitors',
    'imported_sessions',
    'failed_logins',
    'sales',
    'audit_log',
    'notifications',
    'log_files',
    'log_hours',
    'log_tops',
    'log_top_hours',
    'consents',
    'marketing_consents',
  ],
];
/** Scanning an empty monthly partition costs nothing. */
const readWhole = new RegExp(`Seq Scan on (${growing.join('|')})\\b(?!.*cost=0\\.00\\.\\.0\\.00).*`);

let api: TestApi;
let tenant: string;
let location: string;
let device: string;
const people: Record<string, string> = {};
const sent: Sql[] = [];

beforeAll(async () => {
  api = await startApi();
  const scene = await setScene(api);
  tenant = await api.tenantId('panel');
  location = scene.things['/v1/panel/location/:id']!;
  device = scene.things['/v1/panel/device/:id']!;
  people['admin'] = (await api.user('tenant-admin')).token;
  people['manager'] = scene.manager;
  people['reseller'] = (await api.user('reseller')).token;
  await fill(await api.tenantId('elsewhere'));
  watch();
}, 120_000);

/** Inserts `rows` rows into each table: a tenth belong to the requested tenant, half of these to its location. */
async function fill(other: string): Promise<void> {
  const run = (text: string) => api.app.db.pool.query(text);
  const { rows: found } = await run(`
    select (select id from locations where tenant_id = '${other}' limit 1) as place, (select id from users where tenant_id = '${other}' limit 1) as person,
      (select id from users where tenant_id = '${tenant}' and role = 'tenant-admin' order by id desc limit 1) as admin,
      (select id from locations where tenant_id = '${tenant}' and id <> '${location}' limit 1) as neighbour`);
  const { place, person, admin, neighbour } = found[0];
  const series = `(select g, g % 10 = 0 as mine, g % 20 = 0 as here from generate_series(1, ${rows}) g) x`;
  const whose = `case when mine then '${tenant}'::uuid else '${other}'::uuid end`;
  const where = `case when here then '${location}'::uuid when mine then '${neighbour}'::uuid else '${place}'::uuid end`;
  const which = `case when here then '${device}'::uuid else gen_random_uuid() end`;
  const mac = `('02' || lpad(to_hex(g / 3), 10, '0'))::macaddr`;
  const ip = `'10.0.0.0'::inet + g / 3`;
  // Half in this month and half in the last one, on each day of a month: a partition with a few rows is best read whole.
  const [sinceMonth, month] = [`(now() - date_trunc('month', now()))`, `date_trunc('month', now())`];
  const sessionStart = `case when g / 20 % 2 = 0 then now() - g * ${sinceMonth} / ${rows + 1} else ${month} - g * interval '3 minutes' end`;
  const off = `'{"is_active":false,"option":"day","value":1}'::jsonb`;
  // Only the number of online guests matters here; other tests check their routers.
  await run(`insert into online_sessions (tenant_id, accounting_id, location_id, device_id, acct_session_id, client_mac, client_ip, started_at, updated_at, interim, day, hour_ends_at)
    select ${whose}, int8send(g), ${where}, ${which}, g::text, ${mac.replace('g / 3', 'g')}, ${ip}, now() - g * interval '1 second', now(), 60, current_date, now() from ${series}`);
  await run(`insert into session_history (tenant_id, id, accounting_id, location_id, device_id, visitor_id, user_name, acct_session_id, client_mac, client_ip,
      started_at, ended_at, seconds, upload, download, interim, reopened, day, close_reason)
    select ${whose}, new_id(), int8send(g), ${where}, ${which}, gen_random_uuid(), '', g::text, ${mac}, ${ip}, ${sessionStart}, now(), 1, 1, 1, 60, false,
      current_date, 'stop' from ${series}`);
  await run(`insert into visitors (tenant_id, id, location_id, name, provider_type, username, session_duration, max_upload, max_download)
    select ${whose}, new_id(), ${where}, 'Misafir ' || md5(g::text), 'username', md5(g::text), ${off}, ${off}, ${off} from ${series}`);
  await run(`insert into imported_sessions (tenant_id, location_id, import_id, source_key, user_name, client_mac, client_ip, nas, started_at, ended_at,
      seconds, upload, download, terminate_cause)
    select ${whose}, ${where}, gen_random_uuid(), int8send(g), md5(g::text), ${mac}, ${ip}, '', now() - g * interval '4 minutes', now(), 1, 1, 1, '' from ${series}`);
  await run(`insert into failed_logins (tenant_id, location_id, client_mac, client_ip, provider_slug, reason, created_at)
    select ${whose}, ${where}, ${mac}, ${ip}, 'username', 'wrong_credentials', now() - g * interval '4 minutes' from ${series}`);
  await run(`insert into sales (tenant_id, id, location_id, days, unit_price, currency, total, sold_on)
    select ${whose}, new_id(), ${where}, 1, 1, 'try', 1, current_date - g / 20 from ${series}`);
  await run(`insert into session_days (tenant_id, location_id, device_id, day, sessions, seconds, upload, download)
    select ${whose}, ${where}, gen_random_uuid(), current_date - g / 20, 1, 1, 1, 1 from ${series}`);
  await run(`insert into session_hours (tenant_id, location_id, device_id, day, hour, sessions, seconds, upload, download)
    select tenant_id, location_id, device_id, day, day - current_date + 400 - (day - current_date + 400) / 24 * 24, 1, 1, 1, 1 from session_days`);
  await run(`insert into visitor_days (tenant_id, location_id, day, visitor_id, sessions, upload, download)
    select ${whose}, ${where}, current_date - g / 20, gen_random_uuid(), 1, 1, 1 from ${series}`);
  await run(`insert into visitor_device_days (tenant_id, device_id, day, visitor_id, location_id)
    select ${whose}, ${which}, current_date - g / 20, gen_random_uuid(), ${where} from ${series}`);
  await run(`insert into guest_agent_days (tenant_id, location_id, device_id, day, kind, value, sign_ins)
    select ${whose}, ${where}, gen_random_uuid(), current_date - g / 20, (array['platform', 'browser', 'device'])[1 + g % 3], 'x', 1 from ${series}`);
  await run(`insert into guest_devices (tenant_id, location_id, client_mac, sessions, device_id, session_id, session_started_at)
    select ${whose}, ${where}, ${mac.replace('g / 3', 'g')}, 1 + g % 9, gen_random_uuid(), gen_random_uuid(), now() from ${series}`);
  await run(`insert into audit_log (tenant_id, id, user_name, user_email, verb, subject_type, location_id)
    select ${whose}, new_id(), 'x', 'x', 'update', 'visitor', ${where} from ${series}`);
  await run(`insert into notifications (tenant_id, id, user_id, kind, read_at)
    select ${whose}, new_id(), case when mine then '${admin}'::uuid else '${person}'::uuid end, 'device_offline', case when g % 50 > 0 then now() end from ${series}`);
  await run(`insert into log_files (tenant_id, device_id, start_position, type, day, part, lines, bytes)
    select ${whose}, ${which}, g, 'firewall', current_date - g / 20, 1, 1, 1 from ${series}`);
  await run(`insert into log_hours (tenant_id, device_id, hour, lines, minutes)
    select ${whose}, ${which}, date_trunc('hour', now()) - g * interval '1 hour', 1, array_fill(0, array[60]) from ${series}`);
  await run(`insert into log_tops (tenant_id, device_id, day, kind, name, recv, sent, connections)
    select ${whose}, ${which}, current_date - g % 30, 'website', g::text, 1, 1, 1 from ${series}`);
  await run(`insert into log_top_hours (tenant_id, device_id, day, hour, kind, name, recv, sent, connections)
    select ${whose}, ${which}, current_date - g % 30, g % 24, 'website', g::text, 1, 1, 1 from ${series}`);
  await run(`insert into agreement_versions (tenant_id, version, texts) select id, 'v1', '{}' from tenants`);
  await run(`insert into consents (tenant_id, visitor_id, client_mac, version, location_id, language)
    select tenant_id, id, '02:00:00:00:00:01', 'v1', location_id, 'tr' from visitors`);
  await run(`insert into consent_texts (tenant_id, version, text) select id, 'v2', 'x' from tenants`);
  await run(`insert into marketing_consents (tenant_id, id, location_id, visitor_id, channel, recipient, recipient_hash, version, language, source)
    select tenant_id, new_id(), location_id, id, 'sms', '+90', sha256(id::text::bytea), 'v2', 'tr', 'sign-in' from visitors`);
  await run('analyze');
}

/** Records the statements inside a tenant. */
function watch(): void {
  const db = api.app.db as { withTenant: WithTenant; readTenant: WithTenant };
  for (const way of ['withTenant', 'readTenant'] as const) {
    const real = db[way];
    db[way] = (id, work) => real(id, tx => work(kept(tx)));
  }
}

const kept = (tx: Tx): Tx => {
  const keep =
    <A extends [Sql, ...unknown[]], R>(ask: (...of: A) => R) =>
    (...of: A): R => {
      // SET statements have no plan.
      if (!of[0].text.startsWith('set ')) sent.push(of[0]);
      return ask(...of);
    };
  return {
    many: keep(tx.many),
    nested: keep(tx.nested),
    maybe: keep(tx.maybe),
    one: keep(tx.one),
    run: keep(tx.run),
    useGenericPlans: tx.useGenericPlans,
  } as Tx;
};

/** The generic plan of a statement, which PostgreSQL uses after a few executions, and the plan for these values. */
async function planOf(query: Sql): Promise<string> {
  const client = await api.app.db.pool.connect();
  try {
    await client.query('begin');
    await client.query('set local role portico_app');
    await client.query(`select set_config('portico.tenant', '${tenant}', true)`);
    const { rows: lines } = await client.query({ text: `explain ${query.text}`, values: query.values });
    return lines.map(line => line['QUERY PLAN']).join('\n');
  } finally {
    await client.query('rollback');
    client.release();
  }
}

const day = (ago: number): string => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
const month = `${day(30)} 00:00:00,${day(0)} 23:59:59`;
const lists = [
  ...['onlines?per_page=200', 'onlines?mac=02:00', 'onlines?ip=10.0', 'onlines?page=2&per_page=200'],
  ...[
    'reports/sessions?per_page=100',
    `reports/sessions?session_date=${month}`,
    `reports/sessions?session_date=${month}&page=3`,
  ],
  ...[
    `reports/sessions?session_date=${month}&client_mac=020000000101`,
    `reports/sessions?session_date=${month}&user_ip=10.0.1.9`,
  ],
  ...['reports/multiple-sessions?per_page=100', 'reports/multiple-sessions?client_mac=020000000101'],
  ...[
    'reports/imported-sessions',
    `reports/imported-sessions?session_date=${month}&order=asc`,
    'reports/imported-sessions?client_mac=020000000101',
    'reports/imported-sessions?user_ip=10.0.1.9',
    'reports/imported-sessions?search=3f2504e0',
  ],
  ...['client', 'client?page=4', 'client?providers=username,sms', 'client?search=misafir', 'client?search=3f2504e0'],
  ...['created', 'name', 'until'].map(sort => `client?sort=${sort}&order=asc&page=2`),
  ...['created', 'name', 'seen'].map(sort => `device?sort=${sort}&order=asc`),
  ...['created', 'name'].map(sort => `location?sort=${sort}&order=asc`),
  ...['created', 'name', 'left'].map(sort => `voucher-batch?sort=${sort}&order=asc`),
  ...['since', 'name'].map(sort => `location/LOCATION/user?sort=${sort}&order=asc`),
  ...['later', 'paused', 'erased'].map(status => `client?status=${status}`),
  ...['search?search=020000', 'search?search=8100001a', 'onlines?search=8100001a'],
  ...['reports/sessions?search=020000', 'reports/sessions?search=8100001a'],
  ...['failed-login', 'failed-login?mac=02:00', 'failed-login?page=2'],
  ...[
    'consent',
    'consent?page=3',
    'consent?states=withdrawn',
    'consent?search=a@example.com',
    `consent?from=${day(3)}`,
  ],
  ...['audit', 'audit?page=3', 'audit?subject_type=visitor&verb=update', `audit?start_at=${day(3)}`],
  ...['notification', 'notification?unread=true'],
  ...[`device/${'DEVICE'}/logs`, 'device/DEVICE/logs/histogram?interval=minute', 'device/DEVICE/logs/popular_website'],
  ...['by-month', 'today', 'week', 'current-month', 'current-year'].map(name => `reports/total-sales-${name}`),
  ...['overview', 'platforms', 'browsers', 'devices', 'visits'].map(name => `statistics/${name}?compare=true`),
  ...['problems', 'last-day', 'locations', 'setup'].map(name => `statistics/${name}`),
  ...[
    `statistics/visits?start_at=${day(0)}&end_at=${day(0)}`,
    `statistics/visits?start_at=${day(300)}&end_at=${day(0)}`,
  ],
];

async function expectIndexes(): Promise<void> {
  const asked = [...sent];
  expect(asked.length).toBeGreaterThan(0);
  for (const query of asked) {
    const plan = await planOf(query);
    expect(readWhole.exec(plan)?.[0], `${query.text}\n\n${plan}`).toBeUndefined();
  }
}

test.each(lists.flatMap(at => ['admin', 'manager', 'reseller'].map(who => [at, who] as const)))(
  '%s for the %s reads nothing that grows from end to end',
  async (at, who) => {
    sent.length = 0;
    const answer = await api.get(`panel/${at.replace('DEVICE', device).replace('LOCATION', location)}`, {
      token: people[who]!,
    });
    // A reseller without locations cannot see the device.
    if (answer.status === 404 && who === 'reseller') return;
    expect(answer.status, answer.text).toBe(200);
    await expectIndexes();
  },
);

test.each(['10.0.1.9', '203.0.113.5'])(
  'who was it, asked of %s, reads nothing that grows from end to end',
  async address => {
    sent.length = 0;
    const body = { address, port: 50_000, at: new Date(Date.now() - 600_000).toISOString(), reason: 'x' };
    expect((await api.post('panel/reports/who-was-it', { token: people['manager']!, body })).status).toBe(200);
    await expectIndexes();
  },
);
