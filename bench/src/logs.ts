import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { openHttp } from './http-client.ts';
import { tenant } from './list-queries.ts';
import type { LogLoad } from './log-load.ts';
import { compare, ms, whole } from './measure.ts';
import { cpuOf } from './processes.ts';
import type { Product } from './product.ts';
import type { Row } from './table.ts';

const perSecond = 50_000;
const seconds = 10;
const settleMs = 60_000;
/** What 100 million lines of 30 days add up to: a row per device and hour, two hundred names per device and day. */
const fillDays = 30;

function startGenerator() {
  const child = fork(fileURLToPath(new URL('./log-load.ts', import.meta.url)));
  return {
    run: (load: LogLoad) =>
      new Promise<number>((resolve, reject) => {
        child.once('message', sent => resolve(sent as number));
        child.once('exit', () => reject(new Error('The log generator ended')));
        child.send(load);
      }),
    stop: () => child.disconnect(),
  };
}

/** Datagrams that the kernel threw away at a port, because its buffer was full. */
function droppedAt(port: number): number {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  const sockets = readFileSync('/proc/net/udp', 'utf8')
    .split('\n')
    .map(text => text.trim().split(/\s+/));
  const ours = sockets.filter(fields => fields[1]?.endsWith(`:${hex}`));
  return ours.reduce((sum, fields) => sum + Number(fields.at(-1)), 0);
}

const committed = async (sql: pg.Client): Promise<number> =>
  Number((await sql.query('select coalesce(sum(lines), 0) as n from log_hours')).rows[0].n);

/** Log lines over UDP until their counts are committed, and the screens that read those counts. */
export async function measureLogs(product: Product): Promise<Row[]> {
  const sql = await product.connect();
  try {
    return [...(await measureIntake(product, sql)), ...(await measureScreens(product, sql))];
  } finally {
    await sql.end();
  }
}

async function measureIntake(product: Product, sql: pg.Client): Promise<Row[]> {
  const { rows } = await sql.query<{ nas_identifier: string }>(
    'select nas_identifier from devices order by id limit 400',
  );
  const nas = rows.map(row => row.nas_identifier);
  const generator = startGenerator();
  try {
    // The first lines make the door look for the devices.
    await generator.run({ port: product.syslogPort, nas, perSecond: 200, seconds: 2 });
    await new Promise(resolve => setTimeout(resolve, 4000));
    const before = { lines: await committed(sql), cpu: cpuOf(product.pid), dropped: droppedAt(product.syslogPort) };
    const began = performance.now();
    const sent = await generator.run({ port: product.syslogPort, nas, perSecond, seconds });
    const sendSeconds = (performance.now() - began) / 1000;
    const lost = droppedAt(product.syslogPort) - before.dropped;
    let lines = 0;
    while (lines < sent - lost && performance.now() - began < settleMs) {
      await new Promise(resolve => setTimeout(resolve, 100));
      lines = (await committed(sql)) - before.lines;
    }
    const took = (performance.now() - began) / 1000;
    const cpu = cpuOf(product.pid) - before.cpu;
    return [
      {
        work: `log lines, UDP to committed, ${whole(sent / sendSeconds)}/s sent`,
        ours: `${whole(lines / took)}/s`,
        reference: '',
      },
      {
        work: '  per second of our process on one core',
        ours: whole(lines / cpu),
        reference: '',
        figure: lines / cpu,
        goal: { least: 50_000, unit: '/s' },
      },
      {
        work: '  lost after they reached the socket',
        ours: whole(sent - lost - lines),
        reference: '',
        figure: sent - lost - lines,
        goal: { most: 0, unit: '' },
      },
      { work: '  dropped by the kernel before that', ours: whole(lost), reference: '' },
    ];
  } finally {
    generator.stop();
  }
}

async function measureScreens(product: Product, sql: pg.Client): Promise<Row[]> {
  await sql.query(`
    insert into log_hours (tenant_id, device_id, hour, lines, minutes)
    select d.tenant_id, d.id, h, 347, array_fill(5, array[60]) || '{}'::int[]
    from devices d, generate_series(date_trunc('hour', now()) - interval '${fillDays} days', date_trunc('hour', now()) - interval '1 hour', '1 hour') h
    on conflict do nothing`);
  await sql.query(`
    insert into log_tops (tenant_id, device_id, day, kind, name, recv, sent, connections)
    select d.tenant_id, d.id, x::date, 'website', 'site' || n || '.com', 1000000 / n, 100000 / n, 10000 / n
    from devices d, generate_series(now() - interval '${fillDays} days', now() - interval '1 day', '1 day') x, generate_series(1, 200) n
    on conflict do nothing`);
  await sql.query('analyze log_hours, log_tops');
  const { rows } = await sql.query<{ id: string }>(
    'select d.id from devices d join tenants t on t.id = d.tenant_id where t.slug = $1 limit 1',
    [tenant],
  );
  const at = `/v1/panel/device/${rows[0]!.id}/logs`;
  const token = await product.signIn(tenant);
  const http = openHttp(product.url, {
    authorization: `Bearer ${token}`,
    'x-tenant': tenant,
    'accept-encoding': 'identity',
  });
  const local = (agoMs: number) => new Date(Date.now() - agoMs).toISOString().slice(0, 19);
  const get = (what: string) => async () => {
    const { status, body } = await http.get(`${at}/${what}`);
    if (status !== 200) throw new Error(`${what}: ${status} ${body.toString().slice(0, 200)}`);
  };
  const day = 86_400_000;
  const works: [string, string][] = [
    ['histogram of a day by minute', `histogram?interval=minute&gte=${local(day)}&lte=${local(0)}`],
    ['  of a month by day', `histogram?interval=day&gte=${local(30 * day)}&lte=${local(0)}`],
    ['top sites of 7 days', `popular_website?gte=${local(7 * day)}&lte=${local(0)}`],
  ];
  try {
    const timings = await compare(works.map(([, path]) => get(path)));
    return works.map(([work], i) => {
      const { p50, p95 } = timings[i]!;
      return {
        work,
        ours: `p50 ${ms(p50)}, p95 ${ms(p95)}`,
        reference: '',
        figure: p50,
        goal: { most: 10, unit: 'ms' },
      };
    });
  } finally {
    http.close();
  }
}
