import { EventEmitter } from 'node:events';
import { tenant } from './list-queries.ts';
import { median, ms, whole } from './measure.ts';
import { memoryOf } from './processes.ts';
import type { Product } from './product.ts';
import type { Row } from './table.ts';

const tenantId = '00000000-0000-4000-8000-000000000001';
const rounds = 3;

interface Export {
  readonly lines: number;
  readonly firstMs: number;
  readonly seconds: number;
}

/** COPY of the same rows from the database. `pg` discards the data, which costs less than reading it. */
async function copy(product: Product): Promise<Export> {
  const client = await product.connect();
  const connection = 'connection' in client ? client.connection : undefined;
  if (!(connection instanceof EventEmitter)) throw new Error('the client of pg has no connection');
  const started = performance.now();
  let firstMs = 0;
  connection.once('copyData', () => {
    firstMs = performance.now() - started;
  });
  const { rowCount } = await client.query(`copy (
    select v.name, v.phone, upper(s.client_mac::text), host(s.client_ip), to_char(s.started_at at time zone 'Europe/Istanbul', 'YYYY-MM-DD HH24:MI:SS'),
      to_char(s.ended_at at time zone 'Europe/Istanbul', 'YYYY-MM-DD HH24:MI:SS'), round(s.download / 1048576.0, 2), round(s.upload / 1048576.0, 2)
    from session_history s left join visitors v on v.tenant_id = s.tenant_id and v.id = s.visitor_id
    where s.tenant_id = '${tenantId}' order by s.started_at desc, s.id desc) to stdout csv`);
  const seconds = (performance.now() - started) / 1000;
  await client.end();
  return { lines: rowCount ?? 0, firstMs, seconds };
}

async function download(product: Product, token: string): Promise<Export & { peakMemory: number }> {
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
  const path = `/v1/panel/reports/sessions?download=true&per_page=1000000&session_date=${day(-370)},${day(1)}`;
  const started = performance.now();
  const response = await fetch(product.url + path, {
    headers: { authorization: `Bearer ${token}`, 'x-tenant': tenant, 'accept-encoding': 'identity' },
  });
  if (!response.ok || !response.body) throw new Error(`Export: ${response.status} ${await response.text()}`);
  let firstMs = 0;
  let lines = 0;
  let peakMemory = 0;
  let looked = 0;
  for await (const chunk of response.body as ReadableStream<Uint8Array> & AsyncIterable<Uint8Array>) {
    firstMs ||= performance.now() - started;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines++;
    if (performance.now() - looked > 100) {
      looked = performance.now();
      peakMemory = Math.max(peakMemory, memoryOf(product.pid));
    }
  }
  return { lines: lines - 1, firstMs, seconds: (performance.now() - started) / 1000, peakMemory };
}

/** The export of every session of a tenant, against COPY of the same rows. */
export async function measureExport(product: Product): Promise<Row[]> {
  const token = await product.signIn(tenant);
  await download(product, token);
  const before = memoryOf(product.pid);
  const ours: (Export & { peakMemory: number })[] = [];
  const theirs: Export[] = [];
  for (let round = 0; round < rounds; round++) {
    theirs.push(await copy(product));
    ours.push(await download(product, token));
  }
  const rate = (all: readonly Export[]) => median(all.map(it => it.lines / it.seconds));
  const firstMs = median(ours.map(it => it.firstMs));
  const grown = (Math.max(...ours.map(it => it.peakMemory)) - before) / 2 ** 20;
  return [
    {
      work: `session export, ${whole(ours[0]!.lines)} rows`,
      ours: `${whole(rate(ours))} rows/s`,
      reference: `COPY ${whole(rate(theirs))} rows/s`,
      ratio: rate(ours) / rate(theirs),
      goal: { least: 0.85 },
    },
    {
      work: '  first byte',
      ours: ms(firstMs),
      reference: `COPY ${ms(median(theirs.map(it => it.firstMs)))}`,
      figure: firstMs,
      goal: { most: 50, unit: 'ms' },
    },
    {
      work: '  memory above idle',
      ours: `${grown.toFixed(0)} MB`,
      reference: '',
      figure: grown,
      goal: { most: 50, unit: 'MB' },
    },
  ];
}
