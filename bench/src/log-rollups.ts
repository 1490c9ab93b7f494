import type pg from 'pg';

/** The roll-ups that the log screens read, as this many lines of thirty days would leave them. */
export const rollUpDays = 30;

/** Evenings are busier than nights: the share of each hour of the day (UTC). */
const hourWeights = [
  2, 1.2, 0.8, 0.5, 0.4, 0.5, 1, 2, 3.5, 4.5, 5, 5.2, 5.5, 5.2, 5, 5, 5.2, 5.6, 6.2, 7, 7.6, 7.2, 5.5, 3.5,
];
/** The number of names that the product keeps (server/src/features/logs/logs.jobs.ts). */
const kept = { day: 200, today: 2000, hour: 50, hourToday: 500 };
/** The number of different names that domains have after their first part. */
const sites = 3988;
const busiestDomains = 50_000;
const types = { firewall: 0.45, proxy: 0.5, dhcp: 0.05 };

const statements = (lines: number, devices: number): string[] => [
  `select setseed(0.77); set synchronous_commit = off; set work_mem = '128MB'`,
  'truncate log_hours, log_tops, log_top_hours, log_files, log_days',
  `create temp table if not exists pick_devices as
    select tenant_id, id, power(n / c, 1 / 1.6) - power((n - 1) / c, 1 / 1.6) as share
    from (select tenant_id, id, row_number() over (order by id)::float8 as n, count(*) over ()::float8 as c from (select * from devices where nas_identifier like 'bench%' order by id limit ${devices}) b) d`,
  `create temp table if not exists pick_hours as
    select h as hour, w / sum(w) over () as share
    from (select h, (array[${hourWeights.join(',')}])[1 + extract(hour from h at time zone 'UTC')::int]::float8 as w
      from generate_series(date_trunc('hour', now()) - interval '${rollUpDays} days' + interval '1 hour', date_trunc('hour', now()), '1 hour') h) x`,
  // A domain of rank r is requested in proportion to 1 / r. Names that differ in their first part are one site.
  `create temp table if not exists pick_names as
    select name, share, row_number() over (order by share desc) as n from (
      select 'site' || r % 997 || (array['.com', '.net', '.com.tr', '.org'])[1 + r % 4] as name, sum(ln((r + 1)::float8 / r)) / ln(${busiestDomains}) as share
      from generate_series(1, ${busiestDomains - 1}) r group by 1) x`,
  'create index if not exists pick_names_n on pick_names (n)',
  'analyze pick_devices, pick_hours, pick_names',
  `insert into log_hours (tenant_id, device_id, hour, lines, minutes)
    select tenant_id, device_id, hour, (select sum(m) from unnest(minutes) m), minutes from (
      select d.tenant_id, d.id as device_id, h.hour,
        (select array_agg(floor(${lines} * d.share * h.share / 60 + random() + 0 * i)::int) from generate_series(1, 60) i) as minutes
      from pick_devices d cross join pick_hours h) x`,
  names('log_tops', {
    keys: 'day',
    from: `select (hour at time zone 'Europe/Istanbul')::date as day, sum(share) as share from pick_hours group by 1`,
    lines,
    keeps: `case when p.day < current_date - 1 then ${kept.day} else ${kept.today} end`,
  }),
  names('log_top_hours', {
    keys: 'day, hour',
    from: `select (hour at time zone 'Europe/Istanbul')::date as day, extract(hour from hour at time zone 'Europe/Istanbul')::int as hour, share from pick_hours`,
    lines,
    keeps: `case when p.day < current_date - 1 then ${kept.hour} else ${kept.hourToday} end`,
  }),
  `insert into log_days (tenant_id, device_id, start_position, end_position, day, part, sealed_at)
    select d.tenant_id, d.id, n * 1000000000::bigint, case when n < ${rollUpDays} then (n + 1) * 1000000000::bigint end, current_date - ${rollUpDays} + n, 1,
      case when n < ${rollUpDays} then now() end
    from pick_devices d cross join generate_series(0, ${rollUpDays}) n`,
  `insert into log_files (tenant_id, device_id, start_position, type, day, part, lines, bytes, sealed_at, path, file_bytes, sha256)
    select y.tenant_id, y.device_id, y.start_position, t.type, y.day, 1, ceil(n), ceil(n * 150), y.sealed_at, 'files/' || y.day || '-' || t.type || '.log.gz',
      ceil(n * 15), repeat('0', 64)
    from log_days y join pick_devices d on d.tenant_id = y.tenant_id and d.id = y.device_id
      cross join (values ${Object.entries(types)
        .map(([type, share]) => `('${type}', ${share}::float8)`)
        .join(', ')}) t(type, share)
      cross join lateral (select ${lines} * d.share * t.share / ${rollUpDays} as n) c`,
  `insert into log_streams (tenant_id, device_id, position) select tenant_id, id, ${rollUpDays + 1}000000000 from pick_devices
    on conflict do nothing`,
  'vacuum analyze log_hours, log_tops, log_top_hours, log_files, log_days',
];

/**
 * Names per device and day or hour: of each as many lines as its share makes, or one by chance, and the most used of these.
 * Ninety-five lines of a hundred name a site.
 */
function names(
  table: string,
  { keys, from, lines, keeps }: { keys: string; from: string; lines: number; keeps: string },
): string {
  const of = (column: string) =>
    keys
      .split(', ')
      .map(key => `${column}.${key}`)
      .join(', ');
  return `insert into ${table} (tenant_id, device_id, ${keys}, kind, name, recv, sent, connections)
    select d.tenant_id, d.id, ${of('p')}, 'website', t.name, t.times * 60000, t.times * 4000, t.times
    from pick_devices d cross join (${from}) p cross join lateral (
      select name, times from (
        select name, n, floor(${lines * (types.firewall + types.proxy)} * d.share * p.share * share + random())::bigint as times
        from pick_names where n <= least(${sites}, 2 * ${keeps})) x
      where times > 0 order by n limit ${keeps}) t`;
}

/** Replaces the counts of lines. Returns how many lines they stand for. */
export async function makeRollUps(client: pg.Client, lines: number, devices = 400): Promise<number> {
  for (const sql of statements(lines, devices)) await client.query(sql);
  return Number((await client.query('select sum(lines) as n from log_hours')).rows[0].n);
}
