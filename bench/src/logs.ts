import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import type { RawRun } from './log-file.ts';
import type { LogLoad } from './log-load.ts';
import { measureLoud } from './log-loud.ts';
import { committed, droppedAt, pause, startPart } from './log-traffic.ts';
import { whole } from './measure.ts';
import { cpuOf } from './processes.ts';
import type { Product } from './product.ts';
import type { Row } from './table.ts';

const load = { perSecond: 50_000, seconds: 10, senders: 64 };
const settleMs = 60_000;

/** Log lines over UDP until their counts are committed, the raw file alone, and one router that floods. */
export async function measureLogs(product: Product): Promise<Row[]> {
  const sql = await product.connect();
  const folder = mkdtempSync(path.join(tmpdir(), 'portico-bench-logs-'));
  try {
    const { rows } = await sql.query<{ nas_identifier: string }>(
      `select nas_identifier from devices where nas_identifier like 'bench%' order by id limit 400`,
    );
    const nas = rows.map(row => row.nas_identifier);
    return [
      ...(await measureIntake(product, sql, { nas, folder })),
      ...(await measureFile(folder)),
      ...(await measureLoud(product, sql, nas)),
    ];
  } finally {
    await sql.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureIntake(
  product: Product,
  sql: pg.Client,
  { nas, folder }: { nas: readonly string[]; folder: string },
): Promise<Row[]> {
  const generator = startPart<LogLoad, number>('./log-load.ts');
  const sink = startPart<string, number>('./log-sink.ts', [path.join(folder, 'sink.log')]);
  try {
    const sinkPort = await sink.next();
    const port = product.syslogPort;
    // The first lines make the syslog service look up the devices.
    await generator.ask({ ...load, port, nas, perSecond: 200, seconds: 2 });
    await pause(4000);
    const before = { lines: await committed(sql), cpu: cpuOf(product.pid), dropped: droppedAt(port) };
    const began = performance.now();
    const sent = await generator.ask({ ...load, port, nas });
    const sendSeconds = (performance.now() - began) / 1000;
    const dropped = droppedAt(port) - before.dropped;
    let lines = 0;
    while (lines < sent - dropped && performance.now() - began < settleMs) {
      await pause(100);
      lines = (await committed(sql)) - before.lines;
    }
    const took = (performance.now() - began) / 1000;
    const perCore = lines / (cpuOf(product.pid) - before.cpu);
    const idle = cpuOf(sink.pid);
    await generator.ask({ ...load, port: sinkPort, nas });
    await pause(1500);
    const sunk = await sink.ask('count');
    const sinkPerCore = sunk / (cpuOf(sink.pid) - idle);
    return [
      {
        work: `log lines, UDP to committed, ${whole(sent / sendSeconds)}/s sent`,
        ours: `${whole(lines / took)}/s`,
        reference: '',
      },
      {
        work: '  per second of our process on one core',
        ours: `${whole(perCore)}/s`,
        reference: `socket and file only ${whole(sinkPerCore)}/s`,
        ratio: perCore / sinkPerCore,
        figure: perCore,
        goal: { least: 50_000, unit: '/s' },
      },
      {
        work: '  lost after they reached the socket',
        ours: whole(sent - dropped - lines),
        reference: '',
        figure: sent - dropped - lines,
        goal: { most: 0, unit: '' },
      },
      { work: '  dropped by the kernel before that', ours: whole(dropped), reference: '' },
    ];
  } finally {
    generator.stop();
    sink.stop();
  }
}

async function measureFile(folder: string): Promise<Row[]> {
  const part = startPart<never, RawRun>('./log-file.ts', [path.join(folder, 'raw')]);
  try {
    const { lines, lost, seconds, cpuSeconds } = await part.next();
    return [
      {
        work: 'the raw file alone, 400 devices, onto the disk',
        ours: `${whole(lines / seconds)}/s, ${whole(lines / cpuSeconds)}/s of CPU`,
        reference: '',
        figure: lines / seconds,
        goal: { least: 200_000, unit: '/s' },
      },
      { work: '  lost', ours: whole(lost), reference: '', figure: lost, goal: { most: 0, unit: '' } },
    ];
  } finally {
    part.stop();
  }
}
