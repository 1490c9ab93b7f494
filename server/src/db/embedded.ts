import type { ChildProcess } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  lchownSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { steadyNow } from '#lib/steady-clock.ts';
import { type Binaries, prepareBinaries, type User } from './embedded-binaries.ts';

export interface Embedded {
  /** Connects as superuser through a unix socket that only its account and root can open. */
  readonly url: string;
  /** The postmaster's process id; it changes when the server was started again after a crash. */
  pid(): number;
  /** Ends all connections and the server; the data folder is free afterwards. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  /** PostgreSQL settings that replace or extend the defaults. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Called with one line when the server ended unexpectedly and is started again. */
  readonly onCrash?: (message: string) => void;
}

/** Another process holds the data folder. */
export class AlreadyRunning extends Error {}

/** The URL of the server that another process runs on `folder`; undefined while it is not ready. */
export function runningEmbedded(folder: string): string | undefined {
  const { ready, sockets } = postmaster(path.join(realpathSync(folder), 'data'));
  return ready && sockets ? socketUrl(sockets) : undefined;
}

const socketUrl = (sockets: string): string => `postgresql://postgres@/postgres?host=${encodeURIComponent(sockets)}`;

const NOBODY: User = { uid: 65534, gid: 65534 };

/** For a machine with other services: small caches, few processes, and no statements or personal data in the log. */
const SETTINGS = {
  listen_addresses: '',
  port: '5432',
  unix_socket_permissions: '0700',
  max_connections: '60',
  shared_buffers: '64MB',
  huge_pages: 'off',
  effective_cache_size: '512MB',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  wal_buffers: '4MB',
  wal_compression: 'on',
  max_wal_size: '1GB',
  random_page_cost: '1.1',
  jit: 'off',
  io_method: 'sync',
  max_wal_senders: '0',
  max_logical_replication_workers: '0',
  wal_level: 'minimal',
  max_parallel_workers_per_gather: '0',
  autovacuum_max_workers: '2',
  autovacuum_naptime: '30s',
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
  // A server that restarts itself on a full disk can wait for its next checkpoint, five minutes, when there is room again. So it
  // ends, and `supervise` starts it.
  restart_after_crash: 'off',
} as const;

/** Starts the private PostgreSQL whose data is kept in `folder`, made on first use. One process at a time may hold it. */
export async function startEmbedded(folder: string, options: EmbeddedOptions = {}): Promise<Embedded> {
  makeFolder(folder);
  const home = realpathSync(folder);
  const lock = await claim(home);
  try {
    const data = path.join(home, 'data');
    await endOrphan(data);
    const user = ownUser(home);
    if (!existsSync(data)) await initialise(home, data, user);
    if (user) giveTo(home, user);
    const sockets = socketFolder(home, user);
    const binaries = prepareBinaries(home, user);
    // A restored copy is often readable by others; PostgreSQL then refuses to start.
    chmodSync(data, 0o700);
    const settings = { ...SETTINGS, unix_socket_directories: sockets, ...options.settings };
    const args = ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
    const launch = () => launchServer(binaries, data, path.join(home, 'postgres.log'), args);
    const release = () => {
      if (sockets !== home) rmSync(sockets, { recursive: true, force: true });
      lock.close();
    };
    const hasRoom = () => roomIn(home) >= leastRoom;
    const server = supervise(await launch(), { launch, release, hasRoom, onCrash: options.onCrash });
    return { url: socketUrl(sockets), ...server };
  } catch (error) {
    lock.close();
    throw error;
  }
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o711 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`DATA_DIR must be a folder that can be written to: ${folder} cannot be made (${code})`, {
      cause: error,
    });
  }
}

/**
 * Locks the folder with an abstract socket named after its inode. The kernel takes it atomically and releases it with the
 * process, also after kill -9. A file with a process id would stay.
 */
async function claim(home: string): Promise<Server> {
  // A process that was just killed takes a moment to end.
  for (let attempt = 0; attempt < 20; attempt++) {
    const lock = await listen(lockName('portico', home));
    if (lock) return lock;
    await sleep(50);
  }
  throw new AlreadyRunning(
    `Another copy is already running on ${home}: stop it first, or set DATA_DIR to another folder`,
  );
}

const lockName = (what: string, home: string): string => {
  const { dev, ino } = statSync(home);
  return `\0${what}-${dev}-${ino}`;
};

/**
 * The turn of a command that may start the server of `folder`: it stops the server again, which would end the work of another
 * command. Undefined while another one has it.
 */
export function takeTurn(folder: string): Promise<{ close(): unknown } | undefined> {
  makeFolder(folder);
  return listen(lockName('portico-command', realpathSync(folder)));
}

function listen(name: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer(visitor => visitor.destroy()).unref();
    server.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
    );
    server.listen(name, () => resolve(server));
  });
}

/** Account numbers that no distribution and not systemd gives out (systemd.io/UIDS-GIDS). */
const freeAccounts = { first: 60_706, count: 478 };

/**
 * PostgreSQL refuses to run as root. It then runs as the owner of the data, or with a user id of its own. Many services share
 * the account `nobody`. If PostgreSQL used it too, they could read its data and connect as superuser.
 */
function ownUser(home: string): User | undefined {
  const { uid, gid, ino } = statSync(home);
  if (process.getuid?.() !== 0) {
    if (uid === process.getuid?.()) chmodSync(home, 0o700);
    else throw new Error(`DATA_DIR must be a folder of this user: ${home} belongs to another (uid ${uid})`);
    return undefined;
  }
  if (uid !== 0 && uid !== NOBODY.uid) return { uid, gid };
  const taken = accounts();
  for (let i = 0; i < freeAccounts.count; i++) {
    const number = freeAccounts.first + ((ino + i) % freeAccounts.count);
    if (!taken.has(number)) return { uid: number, gid: number };
  }
  throw new Error('DATA_DIR must belong to a user of its own: there is no free account number');
}

function accounts(): ReadonlySet<number> {
  const lines = existsSync('/etc/passwd') ? readFileSync('/etc/passwd', 'utf8').split('\n') : [];
  return new Set(lines.map(line => Number(line.split(':')[2])));
}

/** Makes the user the only one who can read the folder. */
function giveTo(home: string, { uid, gid }: User): void {
  const data = path.join(home, 'data');
  if (statSync(data).uid !== uid) {
    for (const name of readdirSync(data, { recursive: true })) lchownSync(path.join(data, String(name)), uid, gid);
    chownSync(data, uid, gid);
  }
  chownSync(home, uid, gid);
  chmodSync(home, 0o700);
}

/** A unix socket's path has room for 107 bytes; a deeper data folder gets its socket in the temporary folder. */
function socketFolder(home: string, user: User | undefined): string {
  if (Buffer.byteLength(home) + '/.s.PGSQL.5432.lock'.length <= 107) return home;
  const { dev, ino } = statSync(home);
  const folder = path.join(tmpdir(), `portico-${dev}-${ino}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o700 });
  if (user) chownSync(folder, user.uid, user.gid);
  return folder;
}

/** initdb, unlike the server, refuses an account number without a name. So it runs as nobody, and its folder is given away. */
async function initialise(home: string, data: string, user: User | undefined): Promise<void> {
  const named = user && !accounts().has(user.uid) ? NOBODY : user;
  if (named) giveEmpty(home, named);
  const binaries = prepareBinaries(home, named);
  // Created under another name and renamed when complete, so that an interrupted first start can be repeated.
  const draft = `${data}.new`;
  rmSync(draft, { recursive: true, force: true });
  const locale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
  const args = ['-D', draft, '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', ...locale];
  const child = binaries.run('initdb', args, ['ignore', 'ignore', 'pipe']);
  let said = '';
  child.stderr?.on('data', chunk => {
    said += chunk;
  });
  const code = await exitOf(child);
  if (code !== 0) throw new Error(`PostgreSQL could not make its data folder: ${lastWords(said, home)}`);
  renameSync(draft, data);
}

/** After kill -9 of Node its PostgreSQL still runs. This stops it, so that its data can be used. */
async function endOrphan(data: string): Promise<void> {
  const pid = postmaster(data).pid;
  if (!pid || !isServerOf(pid, data)) return;
  process.kill(pid, 'SIGINT');
  for (let waited = 0; isServerOf(pid, data); waited += 20) {
    // SIGQUIT stops without a checkpoint; what was committed is in the log that the next start replays.
    if (waited === 10_000) process.kill(pid, 'SIGQUIT');
    if (waited > 15_000) throw new Error(`An earlier PostgreSQL (pid ${pid}) still holds ${data} and does not end`);
    await sleep(20);
  }
}

/**
 * Ends the workers of a server that was killed. Most end by themselves. One that waits for a lock of a killed worker never
 * does, and PostgreSQL starts only when all are gone.
 */
function killWorkers(data: string): void {
  const server = postmaster(data).pid;
  if (server && isServerOf(server, data)) return;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name) || !isServerOf(Number(name), data)) continue;
    try {
      process.kill(Number(name), 'SIGKILL');
    } catch {
      // It has just ended.
    }
  }
}

/** Process ids are reused, above all in containers, so the process must be a postgres in this folder. */
function isServerOf(pid: number, data: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'postgres' && readlinkSync(`/proc/${pid}/cwd`) === data;
  } catch {
    return false;
  }
}

/** The server's own file postmaster.pid: line 1 is its process id, line 5 its socket folder, line 8 its state. */
function postmaster(data: string): { pid?: number; ready: boolean; sockets?: string | undefined } {
  try {
    const lines = readFileSync(path.join(data, 'postmaster.pid'), 'utf8').split('\n');
    return { pid: Number(lines[0]), ready: lines[7]?.trim() === 'ready', sockets: lines[4]?.trim() };
  } catch {
    return { ready: false };
  }
}

function giveEmpty(home: string, { uid, gid }: User): void {
  chownSync(home, uid, gid);
  chmodSync(home, 0o700);
}

async function launchServer(binaries: Binaries, data: string, logFile: string, args: string[]): Promise<ChildProcess> {
  const patience = steadyNow() + 20_000;
  for (;;) {
    // A file and not a pipe, because a server that outlives this process must not block. Each start overwrites it.
    const log = openSync(logFile, 'w', 0o600);
    const child = binaries.run('postgres', args, ['ignore', log, log]);
    closeSync(log);
    if (await becomesReady(child, data)) return child;
    const said = readFileSync(logFile, 'utf8');
    // After a kill, the last workers may hold the shared memory for a moment.
    const held = /postmaster\.pid|shared memory block/.test(said);
    if (!held || steadyNow() > patience) throw new Error(`PostgreSQL did not start: ${lastWords(said, data)}`);
    if (steadyNow() > patience - 15_000) killWorkers(data);
    await sleep(100);
  }
}

async function becomesReady(child: ChildProcess, data: string): Promise<boolean> {
  const exit = exitOf(child).then(() => 'gone' as const);
  for (;;) {
    const { pid, ready } = postmaster(data);
    if (pid === child.pid && ready) return true;
    if ((await Promise.race([sleep(10), exit])) === 'gone') return false;
  }
}

interface Supervised {
  launch: () => Promise<ChildProcess>;
  release: () => void;
  hasRoom: () => boolean;
  onCrash: EmbeddedOptions['onCrash'];
}

/** Ends early when a disk that was full has room again. */
async function pause(ms: number, hasRoom: () => boolean): Promise<void> {
  const wasFull = !hasRoom();
  for (const until = steadyNow() + ms; steadyNow() < until && !(wasFull && hasRoom()); ) await sleep(100);
}

function supervise(first: ChildProcess, { launch, release, hasRoom, onCrash }: Supervised): Omit<Embedded, 'url'> {
  let child = first;
  let stopping = false;
  let restart = Promise.resolve();
  /** Until it runs: the disk may be full, or its folder away, for a while. */
  const again = async (): Promise<void> => {
    for (let pauseMs = 500; !stopping; pauseMs = Math.min(2 * pauseMs, 5000))
      try {
        child = await launch();
        watch();
        return;
      } catch (error) {
        onCrash?.((error as Error).message);
        await pause(pauseMs, hasRoom);
      }
  };
  const watch = () =>
    child.once('exit', (code, signal) => {
      if (stopping) return;
      onCrash?.(`PostgreSQL ended by itself (${signal ?? `code ${code}`}) and is started again`);
      restart = again();
    });
  watch();
  return {
    pid: () => child.pid ?? 0,
    async stop() {
      stopping = true;
      await restart;
      if (child.exitCode === null && child.signalCode === null) {
        const exit = exitOf(child);
        child.kill('SIGINT');
        await exit;
      }
      release();
    },
  };
}

function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
}

/** The least with which PostgreSQL starts: a segment of its log. */
const leastRoom = 2 ** 24;

/** The free bytes for PostgreSQL's user; infinite if the folder cannot be looked at, which another message explains. */
function roomIn(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

function lastWords(log: string, folder: string): string {
  const lines = log.trim().split('\n');
  const full = lines.find(line => line.includes('No space left on device'));
  // On a full disk its log has no room for that line.
  if (!full && roomIn(folder) < leastRoom) return `No space left on device: ${folder}`;
  return full ?? lines.findLast(line => /FATAL|PANIC|error/.test(line)) ?? lines.at(-1) ?? '';
}
