import { createServer } from 'node:http';
import pg from 'pg';
import { ms, time } from './measure.ts';
import type { Product } from './product.ts';
import type { Row } from './table.ts';

const tenant = 'bench1';
const tenantId = '00000000-0000-4000-8000-000000000001';
const visitorName = `json_build_object('id', v.id, 'name', v.name)`;

/** Each list of the API beside the plainest way to answer the same: the SQL alone, in a bare node server. */
const lists = [
  {
    work: 'online, 200 rows',
    path: '/v1/panel/onlines?per_page=200',
    sql: `select s.id, ${visitorName} as client, s.client_mac, s.client_ip, s.started_at, s.upload, s.download, json_build_object('id', d.id, 'name', d.name) as device
      from online_sessions s left join visitors v on v.tenant_id = s.tenant_id and v.id = s.visitor_id left join devices d on d.tenant_id = s.tenant_id and d.id = s.device_id
      where s.tenant_id = '${tenantId}' order by s.started_at desc, s.id desc limit 200`,
  },
  {
    work: 'session history, 100 rows of 30 days',
    path: `/v1/panel/reports/sessions?per_page=100&session_date=${day(-30)},${day(1)}`,
    sql: `select s.id, ${visitorName} as client, s.client_mac, s.client_ip, s.started_at, s.ended_at, s.upload, s.download
      from session_history s left join visitors v on v.tenant_id = s.tenant_id and v.id = s.visitor_id
      where s.tenant_id = '${tenantId}' and s.started_at >= now() - interval '30 days' order by s.started_at desc, s.id desc limit 100`,
  },
  {
    work: 'visitors, first page',
    path: '/v1/panel/client?per_page=100',
    sql: `select v.*, json_build_object('id', p.id, 'name', p.name) as profile from visitors v left join profiles p on p.tenant_id = v.tenant_id and p.id = v.profile_id
      where v.tenant_id = '${tenantId}' order by v.id desc limit 100`,
  },
  {
    work: 'visitors, search',
    path: '/v1/panel/client?per_page=100&search=user0001',
    sql: `select v.* from visitors v where v.tenant_id = '${tenantId}' and (v.name || ' ' || coalesce(v.username, '') || ' ' || coalesce(v.email, '') || ' ' ||
      coalesce(v.phone, '') || ' ' || coalesce(v.room_number, '')) ilike '%user0001%' order by v.id desc limit 100`,
  },
  {
    work: 'devices',
    path: '/v1/panel/device?per_page=100',
    sql: `select d.*, row_to_json(b) as brand from devices d join brands b on b.id = d.brand_id where d.tenant_id = '${tenantId}' order by d.id desc limit 100`,
  },
  {
    work: 'locations',
    path: '/v1/panel/location?per_page=100',
    sql: `select l.* from locations l where l.tenant_id = '${tenantId}' order by l.id desc limit 100`,
  },
] as const;

function day(offset: number): string {
  return `${new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)} 00:00:00`;
}

/** Node's own server with one query per request and nothing else. */
async function bareServer(product: Product): Promise<{ url: string; stop: () => Promise<void> }> {
  const pool = new pg.Pool({ connectionString: product.databaseUrl, max: 10 });
  const server = createServer(async (request, response) => {
    const list = lists[Number(request.url!.slice(1))]!;
    const { rows } = await pool.query({ name: list.work, text: list.sql });
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ data: rows }));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await pool.end();
    },
  };
}

/** Every list at one client (p50 against the SQL alone plus bare node) and at eight (requests a second). */
export async function measureLists(product: Product): Promise<Row[]> {
  const token = await product.signIn(tenant);
  const bare = await bareServer(product);
  const client = await product.connect();
  const rows: Row[] = [];
  try {
    for (const [i, list] of lists.entries()) {
      const get = async (url: string, headers: Record<string, string> = {}) => {
        const response = await fetch(url, { headers });
        const text = await response.text();
        if (!response.ok) throw new Error(`${url}: ${response.status} ${text.slice(0, 200)}`);
      };
      const ours = () => get(product.url + list.path, { authorization: `Bearer ${token}`, 'x-tenant': tenant, 'accept-encoding': 'identity' });
      const theirs = () => get(`${bare.url}/${i}`);
      const alone = await time(() => client.query({ name: list.work, text: list.sql }));
      const node = await time(theirs);
      const api = await time(ours);
      rows.push({
        work: `${list.work}: p50, one client`,
        ours: `${ms(api.p50)} (p95 ${ms(api.p95)})`,
        reference: `SQL ${ms(alone.p50)}, node + pg ${ms(node.p50)}`,
        ratio: api.p50 / (alone.p50 + node.p50),
        goal: { most: 3 },
      });
      const node8 = await time(theirs, { times: 800, clients: 8 });
      const api8 = await time(ours, { times: 800, clients: 8 });
      rows.push({
        work: `${list.work}: requests/s, 8 clients`,
        ours: api8.perSecond.toFixed(0),
        reference: `node + pg ${node8.perSecond.toFixed(0)}`,
        ratio: api8.perSecond / node8.perSecond,
        goal: { least: 0.7 },
      });
    }
  } finally {
    await bare.stop();
    await client.end();
  }
  return rows;
}
