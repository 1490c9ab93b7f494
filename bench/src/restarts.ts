// `npm run restarts -- --rounds=100`: restarts PostgreSQL in several ways under load.
// `--only=lock --seconds=60` does one of them, for so long. `--only=full` fills the disk: TMPDIR must be a small one of its own.
// `npm run restarts -- --rolling`: restarts two processes of each service one after another, under load.
// `--kill` with it: each is killed (SIGKILL) instead of stopped.
// `--nginx=/usr/sbin/nginx` puts a real proxy with deploy/nginx.conf in front of them.
// `--together`: two processes with all services instead of two of each. `--requests=10000`: again until so many were answered.
// Prints what failed; the exit code is 1 if anything acknowledged was lost.
import { closeSync, openSync, readdirSync, readFileSync, rmSync, statfsSync, writeSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type pg from 'pg';
import { type Load, startLoad } from './restart-load.ts';
import { startNginx } from './restart-proxy.ts';
import { type System, startSystem } from './restart-system.ts';

const backMs = 2000;
const faults = ['immediate', 'fast', 'terminate', 'limit', 'lock'] as const;
type Fault = (typeof faults)[number] | 'full';

const say = (line: string): boolean => process.stdout.write(`${line}\n`);

async function whenBack(system: System): Promise<pg.Client> {
  for (;;) {
    const client = await system.connect().catch(() => undefined);
    if (client) return client;
    await sleep(5);
  }
}

/** Does it, and returns when the database is usable again. */
async function inflict(system: System, fault: Fault, seconds: number): Promise<void> {
  if (fault === 'immediate' || fault === 'fast') {
    process.kill(system.postgres.pid(), fault === 'fast' ? 'SIGINT' : 'SIGQUIT');
    await sleep(20);
    await (await whenBack(system)).end();
    return;
  }
  if (fault === 'full') {
    const free = fillDisk(system.folder);
    await sleep(seconds * 1000);
    free();
    // PostgreSQL restarts if it had no room for its log.
    await (await whenBack(system)).end();
    return;
  }
  const client = await whenBack(system);
  if (fault === 'terminate')
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend'`,
    );
  else if (fault === 'lock') {
    await client.query('begin; lock table locations, online_sessions in access exclusive mode');
    await sleep(seconds * 1000);
    await client.query('commit');
  } else {
    const idle: pg.Client[] = [];
    for (let more = true; more; ) {
      const next = await system.connect().catch(() => undefined);
      if (next) idle.push(next);
      else more = false;
    }
    // The processes lose theirs while no slot is free.
    await client.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'portico%'`);
    for (let more = true; more; ) {
      const next = await system.connect().catch(() => undefined);
      if (next) idle.push(next);
      else more = false;
    }
    await sleep(1000);
    await Promise.all(idle.map(it => it.end()));
  }
  await client.end();
}

/** Fills the disk of a folder; returns what frees it. */
function fillDisk(folder: string): () => void {
  const { blocks, bsize } = statfsSync(folder);
  if (blocks * bsize > 4e9) throw new Error(`TMPDIR must be a disk of its own of at most 4 GB: ${folder} is not`);
  const file = path.join(folder, 'fill');
  const handle = openSync(file, 'w');
  for (let bytes = 2 ** 20; bytes >= 4096; )
    try {
      writeSync(handle, Buffer.alloc(bytes));
    } catch {
      bytes /= 2;
    }
  closeSync(handle);
  return () => rmSync(file);
}

/** Milliseconds until a write and a packet succeeded again. */
async function recovery(load: Load): Promise<number> {
  const from = performance.now();
  while (load.lastSuccess.write < from || load.lastSuccess.packet < from) {
    if (performance.now() - from > 60_000) return Number.POSITIVE_INFINITY;
    await sleep(5);
  }
  return Math.max(load.lastSuccess.write, load.lastSuccess.packet) - from;
}

interface Rolling {
  readonly nginx?: string | undefined;
  readonly together?: boolean | undefined;
  readonly kill?: boolean | undefined;
  readonly requests?: string | undefined;
}

/** The numbers of the marked lines in the raw files. */
function linesStored(folder: string): ReadonlySet<number> {
  const files = readdirSync(path.join(folder, 'logs'), { recursive: true, withFileTypes: true });
  const numbers = new Set<number>();
  for (const file of files)
    if (file.isFile())
      for (const [, n] of readFileSync(path.join(file.parentPath, file.name), 'latin1').matchAll(
        /restarts-line-(\d+)-/g,
      ))
        numbers.add(Number(n));
  return numbers;
}

async function lost(system: System, load: Load): Promise<number> {
  const client = await whenBack(system);
  const { rows: locations } = await client.query<{ name: string; n: number }>(
    `select name, count(*)::int as n from locations where name like 'restart %' group by 1`,
  );
  const { rows: sessions } = await client.query<{ id: string }>(
    `select acct_session_id as id from online_sessions union select acct_session_id from session_history`,
  );
  await client.end();
  const [names, ids] = [new Set(locations.map(it => it.name)), new Set(sessions.map(it => it.id))];
  const gone = [...load.locations].filter(it => !names.has(it)).length;
  const unheard = [...load.sessions].filter(it => !ids.has(it)).length;
  const twice = locations.filter(it => it.n > 1).length;
  say(`${load.locations.size} locations acknowledged: ${gone} lost, ${twice} doubled`);
  say(`${load.sessions.size} sessions acknowledged: ${unheard} lost`);
  return gone + twice + unheard;
}

async function restartDatabase(rounds: number, chosen: readonly Fault[], seconds: number): Promise<number> {
  const system = await startSystem(['api', 'captive', 'radius', 'syslog', 'jobs']);
  // Short attempts, because they are the precision of the measurement.
  const load = await startLoad(system, { timeoutMs: 250, attempts: 40 });
  const took: Record<Fault, number[]> = { immediate: [], fast: [], terminate: [], limit: [], lock: [], full: [] };
  let late = 0;
  try {
    await recovery(load);
    for (let round = 0; round < rounds; round++) {
      const fault = chosen[round % chosen.length]!;
      await inflict(system, fault, seconds);
      const ms = await recovery(load);
      took[fault].push(ms);
      if (ms > backMs) {
        late += 1;
        say(`round ${round + 1}, ${fault}: back after ${(ms / 1000).toFixed(1)} s`);
      }
      const dead = system.servers.find(it => !it.isRunning());
      if (dead) throw new Error(`${dead.service} ended in round ${round + 1} (${fault})`);
      await sleep(500);
    }
    await load.stop();
    for (const fault of chosen)
      if (took[fault].length > 0)
        say(
          `${fault}: ${took[fault].length} rounds, back after ${Math.round(mean(took[fault]))} ms on average, ${Math.round(Math.max(...took[fault]))} ms at most`,
        );
    say(`${late} of ${rounds} rounds took longer than ${backMs} ms`);
    say(`answers with 5xx but 503: ${listed(load.wrong)}`);
    const perRound = system.servers.map(it => `${it.service} ${(it.warnings() / rounds).toFixed(1)}`);
    say(`warnings and errors in the log, per round: ${perRound.join(', ')}`);
    // A line counts when its file is written, which takes a second.
    await sleep(3000);
    const stored = linesStored(system.folder);
    const gone = load.lines.filter(n => !stored.has(n));
    say(`${load.lines.length} log lines sent: ${gone.length} lost`);
    // Below half a gigabyte of room the product drops log lines, counts them and says so.
    const linesLost = chosen.includes('full') ? 0 : gone.length;
    return (await lost(system, load)) + load.wrong.size + linesLost;
  } finally {
    await system.stop();
  }
}

const listed = (kinds: ReadonlyMap<string, number>): string =>
  [...kinds].map(([kind, n]) => `${n} × ${kind}`).join('; ') || 'none';

const mean = (numbers: readonly number[]): number => numbers.reduce((sum, it) => sum + it, 0) / numbers.length;

async function restartServices({ nginx, together, kill, requests: wanted }: Rolling): Promise<number> {
  const least = Number(wanted ?? 0);
  const all = ['api', 'captive', 'radius', 'syslog', 'jobs'];
  const services = together ? [all.join(',')] : all;
  const system = await startSystem(services.flatMap(it => [it, it]));
  const proxy = nginx ? await startNginx(nginx, system) : undefined;
  // Like a router: three attempts, three seconds apart.
  const load = await startLoad(system, { timeoutMs: 3000, attempts: 3 }, proxy);
  try {
    await recovery(load);
    do
      for (const server of system.servers) {
        const from = performance.now();
        await server.restart(kill ? 'SIGKILL' : 'SIGTERM');
        const seconds = ((performance.now() - from) / 1000).toFixed(1);
        await sleep(1000);
        const { answered, failed } = load;
        const all = answered.requests + answered.pages + failed.requests + failed.pages;
        say(
          `a ${server.service} ${kill ? 'killed' : 'restarted'}, back after ${seconds} s: ${failed.requests + failed.pages} of ${all} requests failed, ${failed.packets} of ${answered.packets + failed.packets} packets (${listed(load.failures)})`,
        );
      }
    while (load.answered.requests + load.answered.pages < least);
    await load.stop();
    say(
      `answered: ${Object.entries(load.answered)
        .map(([what, n]) => `${n} ${what}`)
        .join(', ')}`,
    );
    say(`answers with 5xx but 503: ${listed(load.wrong)}`);
    // A new owner of the log folder takes over within ten seconds, and stores what others took.
    await sleep(15_000);
    const { requests, pages, packets } = load.failed;
    const stored = linesStored(system.folder);
    say(`${requests} API requests, ${pages} pages and ${packets} RADIUS packets without an answer`);
    const gone = load.lines.filter(n => !stored.has(n));
    say(`${load.lines.length} log lines sent: ${gone.length} lost ${gone.join(' ')}`.trimEnd());
    return (await lost(system, load)) + requests + pages + packets + gone.length;
  } finally {
    await proxy?.stop();
    await system.stop();
  }
}

const { values } = parseArgs({
  options: {
    ...{ rounds: { type: 'string' }, rolling: { type: 'boolean' } },
    ...{ kill: { type: 'boolean' }, nginx: { type: 'string' } },
    ...{ together: { type: 'boolean' }, requests: { type: 'string' } },
    ...{ only: { type: 'string' }, seconds: { type: 'string' } },
  },
});
const chosen = values.only ? ([...faults, 'full'] as const).filter(it => it === values.only) : faults;
if (chosen.length === 0) throw new Error(`--only must be one of ${[...faults, 'full'].join(', ')}`);
const problems = values.rolling
  ? await restartServices(values)
  : await restartDatabase(Number(values.rounds ?? 10), chosen, Number(values.seconds ?? 3));
process.exitCode = problems > 0 ? 1 : 0;
