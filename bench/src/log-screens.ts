import { openHttp } from './http-client.ts';
import { tenant } from './list-queries.ts';
import { makeRollUps } from './log-rollups.ts';
import { compare, ms } from './measure.ts';
import type { Product } from './product.ts';
import type { Row } from './table.ts';

/** Lines of thirty days, in millions, of the full data set. */
const millions = [1, 20, 100];
const day = 86_400_000;
const maxRatio = 1.5;

interface Work {
  readonly name: string;
  readonly path: string;
  /** What PostgreSQL does for it, as its owner. */
  readonly sql: string;
}

function worksOf(device: { id: string; tenant_id: string }): Work[] {
  const local = (agoMs: number) => new Date(Date.now() - agoMs + 3 * 3_600_000).toISOString().slice(0, 19);
  const whose = `tenant_id = '${device.tenant_id}' and device_id = '${device.id}'`;
  const files = `from log_files where ${whose} and erased_at is null and type = any('{firewall,dhcp,proxy}')`;
  return [
    {
      name: 'histogram of a day by minute',
      path: `logs/histogram?interval=minute&gte=${local(day)}&lte=${local(0)}`,
      sql: `select extract(epoch from hour), minutes from log_hours where ${whose} and hour > now() - interval '25 hours' order by hour`,
    },
    {
      name: 'histogram of a month by day',
      path: `logs/histogram?interval=day&gte=${local(29 * day)}&lte=${local(0)}`,
      sql: `select extract(epoch from hour), lines from log_hours where ${whose} and hour > now() - interval '30 days' order by hour`,
    },
    {
      name: 'top sites of 7 days',
      path: `logs/popular_website?gte=${local(7 * day)}&lte=${local(0)}`,
      sql: `select name, sum(recv), sum(sent), sum(connections) from log_tops where ${whose} and kind = 'website' and day > current_date - 7
        group by name order by sum(recv + sent) desc limit 20`,
    },
    {
      name: 'log files, first page',
      path: 'logs',
      sql: `select *, (select count(*) ${files}) ${files} order by day desc, type, part limit 10`,
    },
    {
      name: 'log files, the last of 30 days',
      path: `logs?page=9&start_at=${local(29 * day).slice(0, 10)}&end_at=${local(0).slice(0, 10)}`,
      sql: `select *, (select count(*) ${files}) ${files} order by day desc, type, part limit 10 offset 80`,
    },
  ];
}

/**
 * The screens of the busiest device's logs at three sizes. Screens read nothing but roll-ups, so that these are made straight away
 * as the lines would have left them, and the lines themselves are not. The sizes are measured minutes apart, and what else the
 * machine does changes meanwhile: what is compared between them is the ratio to a request that has nothing to do with lines.
 */
export async function measureLogScreens(product: Product, scale: number): Promise<Row[]> {
  const sql = await product.connect();
  const rows = new Map<string, Row[]>();
  const least = new Map<string, number>();
  try {
    const device = (
      await sql.query<{ id: string; tenant_id: string }>(
        `select id, tenant_id from devices where nas_identifier like 'bench%' order by id limit 1`,
      )
    ).rows[0]!;
    const http = openHttp(product.url, {
      authorization: `Bearer ${await product.signIn(tenant)}`,
      'x-tenant': tenant,
      'accept-encoding': 'identity',
    });
    for (const million of millions) {
      const lines = await makeRollUps(sql, million * 1_000_000 * scale);
      const label = `${(lines / 1_000_000).toFixed(lines < 10_000_000 ? 1 : 0)} M lines`;
      for (const { name, path, sql: text } of worksOf(device)) {
        const get = (what: string) => async () => {
          const { status, body } = await http.get(`/v1/panel/${what}`);
          if (status !== 200) throw new Error(`${name}: ${status} ${body.toString().slice(0, 200)}`);
        };
        const [ours, other, alone] = await compare(
          [get(`device/${device.id}/${path}`), get('user/me'), () => sql.query({ name: `${name} ${million}`, text })],
          { turns: 5 },
        );
        const { p50, p95 } = ours!;
        const toOther = p50 / other!.p50;
        const first = least.get(name) ?? toOther;
        least.set(name, first);
        const group = rows.get(name) ?? [];
        rows.set(name, group);
        group.push({
          work: `${name}, ${label}`,
          ours: `p50 ${ms(p50)}, p95 ${ms(p95)}`,
          reference: `who am I ${ms(other!.p50)}; SQL alone ${ms(alone!.p50)}`,
          ratio: toOther,
          figure: p50,
          goal: { most: 10, unit: 'ms' },
        });
        if (million === millions.at(-1))
          group.push({
            work: '  its ratio to that at the fewest lines',
            ours: '',
            reference: '',
            ratio: toOther / first,
            goal: { most: maxRatio },
          });
      }
    }
    http.close();
  } finally {
    await sql.end();
  }
  return [...rows.values()].flat();
}
