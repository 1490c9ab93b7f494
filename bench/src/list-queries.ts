export const tenant = 'bench1';
export const tenantId = '00000000-0000-4000-8000-000000000001';

export interface List {
  readonly work: string;
  /** The request to the API. */
  readonly path: string;
  /** The same rows and total in the plainest SQL, for a caller who sees everything. */
  readonly rows: string;
  readonly total: string;
}

// Days in the locations' time zone, three hours east of Greenwich.
const day = (offset: number) => new Date(Date.now() + offset * 86_400_000 + 3 * 3_600_000).toISOString().slice(0, 10);
const period = (days: number) => `session_date=${day(-days)}%2000:00:00,${day(1)}%2000:00:00`;

const counted = (fromWhere: string) => `select count(*) as total from (select 1 ${fromWhere} limit 10000) counted`;

/** The sessions of `days`, open and closed, that match a condition. */
function history(days: number, condition: string): Pick<List, 'rows' | 'total'> {
  const where = `where s.tenant_id = '${tenantId}' and s.started_at >= '${day(-days)} 00:00+03' and s.started_at < '${day(1)} 00:00:01+03' ${condition}`;
  const columns = 's.id, s.visitor_id, s.device_id, s.client_mac, s.client_ip, s.started_at, s.upload, s.download';
  return {
    rows: `select s.*, json_build_object('id', v.id, 'name', v.name, 'provider_type', v.provider_type, 'room_number', v.room_number, 'phone', v.phone) as client,
        json_build_object('id', d.id, 'name', d.name) as device
      from (select * from (
          (select ${columns}, null as ended_at from online_sessions s ${where} order by s.started_at desc, s.id desc limit 100)
          union all (select ${columns}, s.ended_at from session_history s ${where} order by s.started_at desc, s.id desc limit 100)) s
        order by s.started_at desc, s.id desc limit 100) s
      left join visitors v on v.tenant_id = '${tenantId}' and v.id = s.visitor_id
      left join devices d on d.tenant_id = '${tenantId}' and d.id = s.device_id order by s.started_at desc, s.id desc`,
    total: counted(
      `from (select 1 from online_sessions s ${where} union all select 1 from session_history s ${where}) s`,
    ),
  };
}

function visitors(condition: string, order = 'v.id desc'): Pick<List, 'rows' | 'total'> {
  const where = `where v.tenant_id = '${tenantId}' ${condition}`;
  return {
    rows: `select v.id, v.name, v.provider_type, v.citizen_id, v.username, v.room_number, v.email, v.phone, v.profile_id, v.location_id,
        json_build_object('id', p.id, 'name', p.name) as profile, json_build_object('id', l.id, 'name', l.name) as location,
        v.session_start_at, v.session_end_at, v.special_profile, v.blocked, v.created_at, v.updated_at
      from visitors v join locations l on l.tenant_id = v.tenant_id and l.id = v.location_id
      left join profiles p on p.tenant_id = v.tenant_id and p.id = v.profile_id ${where} order by ${order} limit 100`,
    total: counted(`from visitors v ${where}`),
  };
}

/** The search terms: a guest device and an address with many sessions in the tenant, and a part of a username. */
export interface Samples {
  readonly mac: string;
  readonly ip: string;
  readonly word: string;
}

export const samplesQuery = `
  select (select upper(client_mac::text) from session_history where tenant_id = '${tenantId}' group by 1 order by count(*) desc, 1 limit 1) as mac,
    (select host(client_ip) from session_history where tenant_id = '${tenantId}' group by 1 order by count(*) desc, 1 limit 1) as ip,
    (select left(username, 8) from visitors where tenant_id = '${tenantId}' order by username limit 1) as word`;

/** Each list of the API beside the plainest query with the same result. */
export const listsFor = (samples: Samples): readonly List[] => [
  {
    work: 'online, 200 rows',
    path: '/v1/panel/onlines?per_page=200',
    rows: `select s.id, json_build_object('id', v.id, 'name', v.name, 'provider_type', v.provider_type, 'room_number', v.room_number) as client,
        json_build_object('id', d.id, 'name', d.name) as device, d.name as device_name, n.name as network, s.client_mac, s.client_ip, s.started_at,
        s.upload, s.download, s.updated_at
      from online_sessions s left join visitors v on v.tenant_id = s.tenant_id and v.id = s.visitor_id
      left join devices d on d.tenant_id = s.tenant_id and d.id = s.device_id left join networks n on n.tenant_id = s.tenant_id and n.id = s.network_id
      where s.tenant_id = '${tenantId}' order by s.started_at desc, s.id desc limit 200`,
    total: counted(`from online_sessions s where s.tenant_id = '${tenantId}'`),
  },
  {
    work: 'session history, 100 rows of 30 days',
    path: `/v1/panel/reports/sessions?per_page=100&${period(30)}`,
    ...history(30, ''),
  },
  {
    work: 'session history of one MAC, a year',
    path: `/v1/panel/reports/sessions?per_page=100&${period(365)}&client_mac=${samples.mac}`,
    ...history(365, `and s.client_mac = '${samples.mac}'`),
  },
  {
    work: 'session history of one IP, a year',
    path: `/v1/panel/reports/sessions?per_page=100&${period(365)}&user_ip=${samples.ip}`,
    ...history(365, `and s.client_ip = '${samples.ip}'`),
  },
  {
    work: 'guest devices with most sessions',
    path: '/v1/panel/reports/multiple-sessions?per_page=100',
    rows: `select g.*, json_build_object('id', v.id, 'name', v.name) as client, h.ended_at, h.upload, h.download, h.client_ip
      from guest_devices g left join visitors v on v.tenant_id = g.tenant_id and v.id = g.visitor_id
      left join session_history h on h.tenant_id = g.tenant_id and h.id = g.session_id and h.started_at = g.session_started_at
      where g.tenant_id = '${tenantId}' and g.sessions > 1 order by g.sessions desc, g.client_mac limit 100`,
    total: counted(`from guest_devices g where g.tenant_id = '${tenantId}' and g.sessions > 1`),
  },
  {
    work: 'failed sign-ins of 7 days',
    path: '/v1/panel/failed-login?per_page=100',
    rows: `select f.client_mac, f.client_ip, count(*) as total, max(f.created_at) as last_at,
        (json_agg(json_build_object('provider_slug', f.provider_slug, 'params', f.params, 'reason', f.reason, 'created_at', f.created_at) order by f.id desc)) as attempts
      from failed_logins f where f.tenant_id = '${tenantId}' and f.created_at >= '${day(-6)} 00:00+03' group by 1, 2 order by 4 desc limit 100`,
    total: `select count(*) as total from (select 1 from failed_logins f where f.tenant_id = '${tenantId}' and f.created_at >= '${day(-6)} 00:00+03'
      group by f.client_mac, f.client_ip limit 10000) counted`,
  },
  { work: 'visitors', path: '/v1/panel/client?per_page=100', ...visitors('') },
  {
    work: 'visitors by name',
    path: '/v1/panel/client?per_page=100&sort=name&order=asc',
    ...visitors('', 'fold_text(v.name), v.id'),
  },
  {
    work: 'visitors, search',
    path: `/v1/panel/client?per_page=100&search=${samples.word}`,
    ...visitors(`and v.search_text like fold_text('%${samples.word}%')`),
  },
  {
    work: 'devices',
    path: '/v1/panel/device?per_page=100',
    rows: `select d.*, json_build_object('id', b.id, 'slug', b.slug, 'name', b.name, 'logo', b.logo, 'guides', b.guides) as brand,
        json_build_object('id', l.id, 'name', l.name) as location
      from devices d join brands b on b.id = d.brand_id join locations l on l.tenant_id = d.tenant_id and l.id = d.location_id
      where d.tenant_id = '${tenantId}' order by d.id desc limit 100`,
    total: counted(`from devices d where d.tenant_id = '${tenantId}'`),
  },
  {
    work: 'locations',
    path: '/v1/panel/location?per_page=100',
    rows: `select l.*, json_build_object('id', p.id, 'name', p.name) as portal
      from locations l left join portals p on p.tenant_id = l.tenant_id and p.id = l.portal_id
      where l.tenant_id = '${tenantId}' order by l.id desc limit 100`,
    total: counted(`from locations l where l.tenant_id = '${tenantId}'`),
  },
];
