import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { clickhouseArchive } from '../../server/src/features/sessions/archive/clickhouse-archive.ts';
import { tenantId } from './list-queries.ts';
import { compare, ms, whole } from './measure.ts';
import { type Product, root } from './product.ts';
import type { Row } from './table.ts';

/** The sessions of the product that are copied; the others are made from them, with other ids, addresses, names and times. */
const copied = 100_000;
const monthsMade = 24;

/** Sessions in ClickHouse's engine, two years of them, beside the same look-ups among the sessions in PostgreSQL. */
export async function measureArchive(product: Product, sessions: number): Promise<Row[]> {
  const installed = process.env['CHDB'];
  if (!installed) throw new Error('archive needs CHDB: a folder with `npm install chdb`');
  const folder = mkdtempSync(path.join(tmpdir(), 'portico-bench-archive-'));
  const script = path.join(root, 'server/src/test/chdb-server.mjs');
  const engine = spawn(process.execPath, [script, installed, path.join(folder, 'data')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const sql = await product.connect();
  try {
    const port = await new Promise<string>((resolve, reject) => {
      engine.stdout.once('data', text => resolve(String(text).trim()));
      engine.once('exit', code => reject(new Error(`chdb ended with ${code}`)));
    });
    const origin = `http://127.0.0.1:${port}`;
    const archive = clickhouseArchive(`${origin}/bench`, 36_500);
    const run = async (query: string): Promise<string> => {
      const response = await fetch(`${origin}/?database=bench&default_format=TSV`, { method: 'POST', body: query });
      const text = await response.text();
      if (!response.ok) throw new Error(text.slice(0, 300));
      return text.trim();
    };
    const { rows } = await sql.query<{ line: string }>(`
      select json_build_array(1, tenant_id, id, location_id, device_id, network_id, visitor_id, profile_id, user_name, acct_session_id,
        replace(client_mac::text, ':', ''), host(client_ip), to_char(started_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US'),
        to_char(ended_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US'), seconds, upload, download, close_reason, terminate_cause)::text as line
      from session_history limit ${copied}`);
    const lines = rows.map(it => it.line);
    for (let i = 0; i < lines.length; i += 20_000)
      await archive.add(lines.slice(i, i + 20_000).join('\n'), `bench ${i}`);
    const perMonth = Math.ceil(sessions / monthsMade);
    const times = Math.ceil(perMonth / lines.length);
    for (let month = 0; month < monthsMade; month++) {
      // Version 7 of the time, so ids compress as they do. One user name in three is a ticket, used once.
      await run(`insert into session_archive select ${100 + month}, tenant_id,
        toUUID(concat(substring(h, 1, 8), '-', substring(h, 9, 4), '-7', substring(lower(hex(rand64(1))), 1, 3), '-8', substring(lower(hex(rand64(2))), 1, 3), '-', substring(lower(hex(rand64(3))), 1, 12))),
        location_id, device_id, network_id, visitor_id, profile_id,
        if(rand(4) % 3 = 0, lower(hex(rand64(5))), concat('guest', toString(rand(6) % 100000))), lower(hex(rand(7))),
        client_mac, client_ip, t, t + toIntervalSecond(seconds), seconds, upload, download, close_reason, terminate_cause
        from (select *, fromUnixTimestamp64Micro(toInt64(1700000000000000 + ${month} * 2629746000000 + rand64(8) % 2629746000000)) as t,
            leftPad(lower(hex(toUInt64(toUnixTimestamp64Milli(t)))), 12, '0') as h
          from session_archive cross join numbers(${times}) where batch = 1)`);
    }
    await archive.drop(1);
    const [count, bytes] = (
      await run(`select sum(rows), sum(bytes_on_disk) from system.parts where table = 'session_archive' and active`)
    )
      .split('\t')
      .map(Number) as [number, number];
    const batches = Array.from({ length: monthsMade }, (_, month) => ({
      batch: 100 + monthsMade - 1 - month,
      rows: 1,
    }));
    const of = archive.of(tenantId, batches);
    const [sample] = await of.find({}, { limit: 1, offset: 1000 });
    const own = await sql.query<{ bytes: number; rows: number; mac: string; ip: string }>(`
      select (select sum(pg_total_relation_size(inhrelid))::float8 from pg_inherits where inhparent = 'session_history'::regclass) as bytes,
        (select count(*)::float8 from session_history) as rows, s.client_mac::text as mac, host(s.client_ip) as ip
      from session_history s where tenant_id = '${tenantId}' limit 1`);
    const here = own.rows[0]!;
    const mac = sample!.client_mac!;
    const ip = sample!.client_ip!;
    const newest = (where: string) => () =>
      sql.query(
        `select * from session_history s where tenant_id = '${tenantId}' ${where} order by started_at desc, id desc limit 100`,
      );
    const result: Row[] = [
      {
        work: `bytes of a session, ${whole(count)} sessions`,
        ours: (bytes / count).toFixed(1),
        reference: `PostgreSQL ${(here.bytes / here.rows).toFixed(0)}, ${whole(here.rows)} sessions`,
        ratio: bytes / count / (here.bytes / here.rows),
        figure: bytes / count,
        goal: { most: 100, unit: 'bytes' },
      },
    ];
    for (const [work, ask, reference] of [
      ['the newest 100 of a tenant', () => of.find({}, { limit: 100 }), newest('')],
      ['page 50 of them', () => of.find({}, { limit: 100, offset: 4900 }), newest('')],
      ['the newest 100 of a location', () => of.find({ locations: [sample!.location_id] }, { limit: 100 }), newest('')],
      ['100 by MAC address', () => of.find({ mac }, { limit: 100 }), newest(`and client_mac = '${here.mac}'`)],
      ['100 by IP address', () => of.find({ ip }, { limit: 100 }), newest(`and client_ip = '${here.ip}'`)],
    ] as const) {
      const [ours, alone] = await compare([ask, reference], { turns: 3, ms: 500 });
      result.push({
        work,
        ours: `p50 ${ms(ours!.p50)}, p95 ${ms(ours!.p95)}`,
        reference: `PostgreSQL with ${whole(here.rows)} sessions p50 ${ms(alone!.p50)}, p95 ${ms(alone!.p95)}`,
        ratio: ours!.p50 / alone!.p50,
        figure: ours!.p50,
        goal: { most: 20, unit: 'ms' },
      });
    }
    return result;
  } finally {
    engine.stdin.end();
    await sql.end();
    rmSync(folder, { recursive: true, force: true });
  }
}
