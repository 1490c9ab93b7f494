// `npm run soak -- --minutes=60 --guests=5000`: many guests for a long time, and what grows meanwhile.
// Prints one line per minute, and a table of the slopes at the end; the exit code is 1 if something failed.
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type pg from 'pg';
import { summary } from './measure.ts';
import { freePort, root } from './product.ts';
import { type System, startSystem } from './restart-system.ts';
import { makeVenue, type Router } from './soak-venue.ts';

const say = (line: string): boolean => process.stdout.write(`${line}\n`);
const mb = (bytes: number): number => bytes / 1024 / 1024;

interface Sample {
  readonly minute: number;
  readonly online: number;
  readonly rss: number;
  readonly heap: number;
  /** The memory that V8 reserved for the heap, and buffers outside it. The rest of rss is code, stacks and the allocator's. */
  readonly reserved: number;
  readonly external: number;
  readonly deadRows: number;
  readonly database: number;
  /** Open files and sockets of the product. */
  readonly files: number;
  readonly connections: number;
  /** Bytes with all indexes: of the table of those online, and of each session that ended. */
  readonly onlineTable: number;
  readonly perSession: number;
  readonly p50: number;
  readonly p99: number;
  readonly requests: number;
}

/** The simulator as its users run it, on these routers. */
async function startGuests(system: System, routers: readonly Router[], guests: number, minutes: number) {
  const { ports } = system.servers[0]!;
  const venue = {
    radius: { host: '127.0.0.1', auth_port: ports.RADIUS_AUTH_PORT, acct_port: ports.RADIUS_ACCT_PORT },
    captive_url: `http://127.0.0.1:${ports.CAPTIVE_PORT}`,
    syslog: { host: '127.0.0.1', port: ports.SYSLOG_PORT },
    routers: await Promise.all(
      routers.map(async ({ nas, secret, location }) => ({
        ...{ nas_identifier: nas, secret, location, coa_port: await freePort(), http_port: await freePort() },
      })),
    ),
    visitors: routers.flatMap(it => it.visitors.map(visitor => ({ ...visitor, location: it.location }))),
  };
  const seconds = String(minutes * 60 + 600);
  const child = spawn(
    process.execPath,
    [
      'simulator/src/cli.ts',
      '--config',
      '-',
      '--guests',
      String(guests),
      '--stay',
      '900',
      '--away',
      '120',
      '--duration',
      seconds,
    ],
    { cwd: root, stdio: ['pipe', 'pipe', 'inherit'] },
  );
  // Made at once: the simulator may end at any time. It does not reject, because its end is looked at later.
  const ended = new Promise<string>(resolve => {
    child.once('error', error => resolve(error.message));
    child.once('close', (code, signal) => resolve(String(signal ?? code)));
  });
  let end: string | undefined;
  void ended.then(how => {
    end = how;
  });
  // A simulator that ended does not read: `ended` tells so.
  child.stdin.on('error', () => undefined);
  child.stdin.end(JSON.stringify(venue));
  let last = '';
  child.stdout.on('data', (chunk: Buffer) => {
    last = chunk.toString().trim().split('\n').at(-1) ?? last;
  });
  return {
    last: () => last,
    ended,
    /** Ends it; returns its exit code or signal. */
    stop: async (): Promise<string> => {
      if (end === undefined) child.kill('SIGTERM');
      return ended;
    },
  };
}

/** Counts from the simulator's last line: guests without an answer, and lost accounting. */
const failuresIn = (line: string): string[] =>
  [...line.matchAll(/(unanswered|lost) (\d+)/g)].filter(([, , count]) => Number(count) > 0).map(([text]) => text);

/** Asks what operators and guests ask, four times a second, until it is stopped. */
function startReaders(system: System, token: string, routers: readonly Router[]) {
  const { ports } = system.servers[0]!;
  const panel = ['onlines', 'reports/sessions', 'client', 'device', 'location', 'notification', 'failed-login'];
  const arrival = new URLSearchParams({ mac: '3C:22:FB:00:00:03', ip: '10.5.50.9', login: 'http://10.5.50.1/login' });
  const took: number[] = [];
  const failed: string[] = [];
  let over = false;
  const work = (async () => {
    for (let n = 0; !over; n++) {
      const isGuest = n % 3 === 0;
      const url = isGuest
        ? `http://127.0.0.1:${ports.CAPTIVE_PORT}/w/${routers[n % routers.length]!.nas}?${arrival}`
        : `http://127.0.0.1:${ports.PORT}/v1/panel/${panel[n % panel.length]}`;
      const began = performance.now();
      const answer = await fetch(url, isGuest ? {} : { headers: { authorization: `Bearer ${token}` } }).catch(
        () => undefined,
      );
      await answer?.arrayBuffer();
      took.push(performance.now() - began);
      // A venue without a portal answers its guests with 404.
      if (!answer || answer.status >= (isGuest ? 500 : 400))
        failed.push(`${answer?.status ?? 'no answer'} ${new URL(url).pathname}`);
      await sleep(250);
    }
  })();
  return {
    failed,
    take: () => took.splice(0),
    stop: () => {
      over = true;
      return work;
    },
  };
}

async function metricsOf(system: System): Promise<(name: string) => number> {
  const { ports } = system.servers[0]!;
  const text = await (await fetch(`http://127.0.0.1:${ports.METRICS_PORT}/metrics`)).text();
  return name => Number(new RegExp(`^${name}(?:\\{[^}]*\\})? ([\\d.e+]+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
}

async function sample(system: System, client: pg.Client, minute: number, took: number[]): Promise<Sample> {
  const metric = await metricsOf(system);
  const { rows } = await client.query<Record<'dead' | 'bytes' | 'online' | 'backends' | 'table' | 'history', number>>(`
    select (select sum(n_dead_tup)::int from pg_stat_user_tables) as dead,
      pg_database_size(current_database())::float8 as bytes, (select count(*)::int from online_sessions) as online,
      (select count(*)::int from pg_stat_activity where application_name like 'portico%') as backends,
      pg_total_relation_size('online_sessions')::float8 as table,
      (select sum(pg_total_relation_size(relid))::float8 from pg_partition_tree('session_history') where isleaf)
        / greatest((select count(*) from session_history), 1) as history`);
  const { dead, bytes, online, backends, table, history } = rows[0]!;
  const { p50, p99 } = summary(took, 60);
  return {
    ...{ minute, online, deadRows: dead, database: mb(bytes), p50, p99, requests: took.length },
    files: readdirSync(`/proc/${system.servers[0]!.pid()}/fd`).length,
    ...{ connections: backends, onlineTable: mb(table), perSession: history },
    rss: mb(metric('process_resident_memory_bytes')),
    heap: mb(metric('nodejs_heap_size_used_bytes')),
    reserved: mb(metric('nodejs_heap_size_total_bytes')),
    external: mb(metric('nodejs_external_memory_bytes')),
  };
}

/** The least-squares slope per hour, and its standard error. */
function slope(samples: readonly Sample[], of: (it: Sample) => number): { perHour: number; error: number } {
  const n = samples.length;
  const mean = (values: readonly number[]) => values.reduce((sum, it) => sum + it, 0) / n;
  const xs = samples.map(it => it.minute / 60);
  const ys = samples.map(of);
  const [mx, my] = [mean(xs), mean(ys)];
  const sxx = xs.reduce((sum, x) => sum + (x - mx) ** 2, 0);
  const perHour = xs.reduce((sum, x, i) => sum + (x - mx) * (ys[i]! - my), 0) / sxx;
  const rest = xs.reduce((sum, x, i) => sum + (ys[i]! - my - perHour * (x - mx)) ** 2, 0);
  return { perHour, error: Math.sqrt(rest / (n - 2) / sxx) };
}

function report(samples: readonly Sample[]): void {
  // The guests arrive and the engine compiles first.
  const steady = samples.slice(Math.ceil(samples.length / 3));
  say('\n| figure | first | last | least to most | slope per hour |');
  say('| --- | --- | --- | --- | --- |');
  const figures: [string, (it: Sample) => number][] = [
    ['online guests', it => it.online],
    ['resident memory, MB', it => it.rss],
    ['heap in use, MB', it => it.heap],
    ['heap reserved, MB', it => it.reserved],
    ['buffers outside the heap, MB', it => it.external],
    ['other memory, MB', it => it.rss - it.reserved - it.external],
    ['dead rows', it => it.deadRows],
    ['database, MB', it => it.database],
    ['table of those online, MB', it => it.onlineTable],
    ['bytes per ended session', it => it.perSession],
    ['open files', it => it.files],
    ['database connections', it => it.connections],
    ['p50, ms', it => it.p50],
    ['p99, ms', it => it.p99],
  ];
  for (const [name, of] of figures) {
    const values = steady.map(of);
    const { perHour, error } = slope(steady, of);
    const text = [values[0]!, values.at(-1)!].map(it => it.toFixed(1));
    say(
      `| ${name} | ${text.join(' | ')} | ${Math.min(...values).toFixed(1)} to ${Math.max(...values).toFixed(1)} | ${perHour.toFixed(1)} ± ${(2 * error).toFixed(1)} |`,
    );
  }
}

const { values } = parseArgs({ options: { minutes: { type: 'string' }, guests: { type: 'string' } } });
const minutes = Number(values.minutes ?? 60);
const guests = Number(values.guests ?? 5000);
const system = await startSystem(['api,captive,radius,syslog,jobs']);
say(`data in ${path.basename(system.folder)}, ${guests} guests for ${minutes} minutes`);
const routers = await makeVenue(system, Math.max(2, Math.ceil(guests / 250)), guests);
const simulator = await startGuests(system, routers, guests, minutes);
const readers = startReaders(system, system.token, routers);
const client = await system.connect();
const samples: Sample[] = [];
try {
  for (let minute = 1; minute <= minutes; minute++) {
    const ended = await Promise.race([simulator.ended, sleep(60_000, undefined)]);
    if (ended !== undefined) throw new Error(`the simulator ended: ${ended}`);
    const it = await sample(system, client, minute, readers.take());
    samples.push(it);
    say(
      `${minute} min: ${it.online} online, rss ${it.rss.toFixed(0)} MB, heap ${it.heap.toFixed(0)} of ${it.reserved.toFixed(0)} MB, external ${it.external.toFixed(0)} MB, ${it.deadRows} dead rows, database ${it.database.toFixed(0)} MB, ${it.files} files, ${it.connections} connections, p50 ${it.p50.toFixed(1)} ms, p99 ${it.p99.toFixed(0)} ms of ${it.requests}`,
    );
    if (!system.servers[0]!.isRunning()) throw new Error('the product ended');
  }
  report(samples);
  const end = await simulator.stop();
  say(`\nsimulator: ${simulator.last()}`);
  const unserved = failuresIn(simulator.last());
  if (end !== '0') unserved.push(`it ended with ${end}`);
  if (unserved.length > 0) say(`the simulator's guests were not served: ${unserved.join(', ')}`);
  say(`${readers.failed.length} requests failed ${[...new Set(readers.failed)].slice(0, 5).join(', ')}`.trimEnd());
  process.exitCode = readers.failed.length + unserved.length > 0 ? 1 : 0;
} finally {
  await readers.stop();
  await simulator.stop();
  await client.end();
  await system.stop();
}
