import type pg from 'pg';

/**
 * The share of the full data set: 1 is 10 tenants, 200 locations, 400 devices, 100,000 visitors, 2,000,000 sessions.
 */
export interface Size {
  readonly locations: number;
  readonly devices: number;
  readonly visitors: number;
  readonly sessions: number;
  readonly online: number;
  readonly failed: number;
}

export const sizeOf = (scale: number): Size => ({
  locations: 200,
  devices: 400,
  visitors: Math.round(100_000 * scale),
  sessions: Math.round(2_000_000 * scale),
  // At least one full page, also in smaller sets.
  online: Math.round(5000 * Math.min(1, scale * 10)),
  failed: Math.round(200_000 * scale),
});

const limit = `'{"is_active":false,"option":"day","value":1}'::jsonb`;
const speed = `'{"is_active":true,"option":"mbps","value":8}'::jsonb`;
// Ids are computed from a number, so that the statements need no look-ups.
const idOf = (kind: string, n: string) => `('00000000-0000-4000-${kind}-' || lpad(to_hex(${n}), 12, '0'))::uuid`;
const macOf = (n: string) => `('3c22fb' || lpad(to_hex((${n}) % 16777216), 6, '0'))::macaddr`;
const tenantOf = (location: string) => idOf('8000', `1 + (${location} - 1) % 10`);

/** The number of sessions that this database was filled with; undefined if it was not. */
export async function madeData(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ made: string | null }>(
    `select obj_description('session_history'::regclass, 'pg_class') as made`,
  );
  return rows[0]?.made ? Number(rows[0].made) : undefined;
}

/**
 * Fills an empty, migrated database: skewed locations, a year's seasons, evening hours, returning guests.
 * Deterministic.
 */
export async function makeData(client: pg.Client, size: Size): Promise<void> {
  const run = (sql: string) => client.query(sql);
  await run(`select setseed(0.42); set synchronous_commit = off; set work_mem = '256MB'`);
  await run(`insert into tenants (id, slug, brand_name, brand_long_name)
    select ${idOf('8000', 't')}, 'bench' || t, 'Bench ' || t, 'Bench ' || t from generate_series(1, 10) t`);
  await run(`insert into locations (tenant_id, id, name, city, country, trial_end_at, license_end_at, created_at)
    select ${tenantOf('l')}, ${idOf('8001', 'l')}, 'Location ' || lpad(l::text, 3, '0'), (array['İstanbul','Antalya','İzmir','Ankara','Bodrum','Bursa'])[1 + l % 6],
      'Türkiye', now(), now() + interval '1 year', now() - interval '1 year' from generate_series(1, ${size.locations}) l`);
  // The sessions are made without their hours, so the job of the running product must not compare their totals.
  await run(
    `insert into figures_since (tenant_id, location_id, day) select tenant_id, id, '2100-01-01' from locations`,
  );
  await run(`insert into profiles (tenant_id, id, location_id, name, shared_user, session_duration, max_upload, max_download, paid_sale)
    select ${tenantOf('l')}, ${idOf('8002', 'l')}, ${idOf('8001', 'l')}, 'Standard', 3, ${limit}, ${speed}, ${speed}, ${limit}
    from generate_series(1, ${size.locations}) l`);
  await run(
    `update locations set default_profile_id = ('00000000-0000-4000-8002-' || right(id::text, 12))::uuid where id::text like '00000000-0000-4000-8001-%'`,
  );
  await run(`insert into portals (tenant_id, id, name, providers) select id, ('00000000-0000-4000-8005-' || right(id::text, 12))::uuid, 'Guest portal',
      '[{"slug":"username","is_active":true,"order":1,"options":{}}]' from tenants where slug like 'bench%'`);
  await run(
    `update locations set portal_id = ('00000000-0000-4000-8005-' || right(tenant_id::text, 12))::uuid where id::text like '00000000-0000-4000-8001-%'`,
  );
  await run(`insert into devices (tenant_id, id, location_id, brand_id, name, mac_address, nas_identifier, secret, trial_end_at, last_seen_at)
    select ${tenantOf('l')}, ${idOf('8003', 'd')}, ${idOf('8001', 'l')}, b.id, 'Device ' || lpad(d::text, 3, '0'),
      '02:BB:00:00:' || upper(lpad(to_hex(d / 256), 2, '0')) || ':' || upper(lpad(to_hex(d % 256), 2, '0')), 'bench' || lpad(d::text, 7, '0'), '', now(), now() - random() * interval '10 min'
    from (select d, 1 + (d - 1) % ${size.locations} as l from generate_series(1, ${size.devices}) d) x cross join lateral
      (select id from brands order by position offset (case when d % 4 = 1 then 1 when d % 4 = 2 then 2 else 0 end) limit 1) b`);
  await run(
    `insert into log_sources (tenant_id, device_id, network, proof) select tenant_id, id, '127.0.0.1', 'operator' from devices where nas_identifier like 'bench%'`,
  );
  await run(`insert into visitors (tenant_id, id, location_id, profile_id, name, provider_type, username, email, phone, session_duration, max_upload, max_download, created_at)
    select ${tenantOf('l')}, ${idOf('8004', 'v')}, ${idOf('8001', 'l')}, ${idOf('8002', 'l')},
      (array['Ahmet','Mehmet','Ayşe','Fatma','Mustafa','Emine','Ali','Hatice','John','Anna','Ivan','Olga'])[1 + floor(random() * 12)::int] || ' ' ||
      (array['Yılmaz','Kaya','Demir','Çelik','Şahin','Yıldız','Öztürk','Aydın','Smith','Ivanov','Müller','Brown'])[1 + floor(random() * 12)::int],
      'username', 'user' || lpad(v::text, 6, '0'), case when random() < .3 then 'guest' || v || '@example.com' end, '+9053' || lpad((10000000 + v::bigint * 797)::text, 8, '0'),
      ${limit}, ${speed}, ${speed}, now() - random() * interval '365 days'
    from (select v, 1 + floor(${size.locations} * power(random(), 1.7))::int as l from generate_series(1, ${size.visitors}) v) x`);
  await run(`select ensure_partitions(1, 13)`);
  await run(
    `create temp table pick as select right(id::text, 12) as suffix, row_number() over () as n, tenant_id, location_id, id from visitors where id::text like '00000000-0000-4000-8004-%'`,
  );
  await run(`create unique index on pick (n)`);
  await run(`analyze pick`);
  const columns = (
    open: boolean,
  ) => `p.tenant_id, new_id(), decode(md5('u' || ${open ? "'o' ||" : ''} i), 'hex'), p.location_id,
      ('00000000-0000-4000-8003-' || right(p.location_id::text, 12))::uuid, p.id, ${idOf('8002', '1')}, 'user', lpad(to_hex(i), 8, '0'),
      ${macOf('p.n * 3 + i % 2')},
      ('172.' || 16 + i % 16 || '.' || (i / 251) % 256 || '.' || 1 + i % 250)::inet`;
  const visitor = (i: string) => `1 + floor(${size.visitors} * power(random(), 1.5))::bigint + 0 * ${i}`;
  await run(`insert into session_history (tenant_id, id, accounting_id, location_id, device_id, visitor_id, profile_id, user_name, acct_session_id, client_mac, client_ip,
      started_at, ended_at, seconds, upload, download, interim, reopened, day, close_reason, terminate_cause)
    select ${columns(false)}, t, t + d * interval '1 second', d, (b * .1)::bigint, b::bigint, 300, false, t::date, 'stop', 'User-Request'
    from (select i, ${visitor('i')} as v, now() - interval '1 hour' - random() * interval '364 days' as t, (60 + 7200 * random())::bigint as d, exp(17 + 2 * random()) as b
      from generate_series(1, ${size.sessions}) i) s join pick p on p.n = s.v`);
  // With so rare updates none is taken for over while data is kept for the next run.
  await run(`insert into online_sessions (tenant_id, id, accounting_id, location_id, device_id, visitor_id, profile_id, user_name, acct_session_id, client_mac, client_ip,
      started_at, updated_at, seconds, upload, download, interim, day, hour_ends_at)
    select ${columns(true)}, now() - random() * interval '5 hours', now() - random() * interval '5 min', 3600, 1000000, 50000000, 86400, now()::date, date_trunc('day', now()) + interval '1 day'
    from (select i, ${visitor('i')} as v from generate_series(1, ${size.online}) i) s join pick p on p.n = s.v on conflict do nothing`);
  await run(`insert into failed_logins (tenant_id, location_id, client_mac, client_ip, provider_slug, reason, created_at)
    select p.tenant_id, p.location_id, ${macOf('p.n * 3')}, ('172.16.' || (p.n / 251) % 256 || '.' || 1 + p.n % 250)::inet, 'username', 'wrong_credentials',
      now() - random() * interval '365 days'
    from generate_series(1, ${size.failed}) i join pick p on p.n = 1 + i % ${size.visitors}`);
  await run(`insert into session_days (tenant_id, location_id, device_id, day, sessions, seconds, upload, download)
    select tenant_id, location_id, device_id, day, count(*), sum(seconds), sum(upload), sum(download) from session_history group by 1, 2, 3, 4`);
  await run(`insert into session_hours (tenant_id, location_id, device_id, day, hour, sessions, seconds, upload, download)
    select tenant_id, location_id, device_id, day, 12, sessions, seconds, upload, download from session_days`);
  await run(`insert into visitor_days (tenant_id, location_id, day, visitor_id, sessions, upload, download)
    select tenant_id, location_id, day, visitor_id, count(*), sum(upload), sum(download) from session_history group by 1, 2, 3, 4`);
  await run(`insert into visitor_device_days (tenant_id, device_id, day, visitor_id, location_id)
    select distinct tenant_id, device_id, day, visitor_id, location_id from session_history`);
  await run(`insert into guest_agent_days (tenant_id, location_id, device_id, day, kind, value, sign_ins)
    select d.tenant_id, d.location_id, d.device_id, d.day, k.kind, v.value, 1 + d.sessions / 3 from session_days d
    cross join (values ('platform', array['Android', 'iOS', 'Windows']), ('browser', array['Chrome', 'Safari', 'Edge']),
      ('device', array['mobile', 'desktop', 'tablet'])) k(kind, names) cross join unnest(k.names) v(value)`);
  await run(`insert into guest_devices (tenant_id, location_id, client_mac, sessions, device_id, visitor_id, session_id, session_started_at)
    select distinct on (tenant_id, location_id, client_mac) tenant_id, location_id, client_mac, count(*) over (partition by tenant_id, location_id, client_mac),
      device_id, visitor_id, id, started_at from session_history order by tenant_id, location_id, client_mac, started_at desc`);
  await run('vacuum analyze');
  // Only complete data is used again.
  await run(`comment on table session_history is '${size.sessions}'`);
}
