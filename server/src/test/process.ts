import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** The environment of the product's processes: `vitest.config.ts` sets the cache, which saves half of the time to start. */
export const ofChildren = {
  PATH: process.env.PATH ?? '',
  NODE_ENV: 'test',
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
};

const main = fileURLToPath(new URL('../main.ts', import.meta.url));

export interface ServerProcess {
  /** Stops like Ctrl-C. */
  stop(): Promise<void>;
  /** kill -9 of the server alone. */
  kill(): Promise<void>;
  /** kill -9 of the server and of every process of its embedded PostgreSQL. */
  killEverything(): Promise<void>;
}

/**
 * Ports below those of outgoing connections, which begin at 32768. Each worker of Vitest or Playwright has a part of its own, and
 * gives no port twice: another one could take a port while a process starts, or starts again. The deliberate defects run beside
 * the other tests and have the parts from TEST_PORT_PART on.
 */
const worker = Number(process.env['VITEST_POOL_ID'] ?? process.env['TEST_PARALLEL_INDEX'] ?? 0);
const firstPort = 20_000 + ((worker + Number(process.env['TEST_PORT_PART'] ?? 0)) % 24) * 500;
let given = randomInt(500);

/** A port that is free for TCP and for UDP. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 500; tries += 1) {
    const port = firstPort + (given++ % 500);
    if ((await isFreeForTcp(port)) && (await isFreeForUdp(port))) return port;
  }
  throw new Error('No port is free');
}

const isFreeForTcp = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '0.0.0.0', () => server.close(() => resolve(true)));
  });

const isFreeForUdp = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const socket = createSocket('udp4');
    socket.once('error', () => socket.close(() => resolve(false)));
    socket.bind(port, '0.0.0.0', () => socket.close(() => resolve(true)));
  });

const portNames = [
  'PORT',
  'CAPTIVE_PORT',
  'METRICS_PORT',
  'RADIUS_AUTH_PORT',
  'RADIUS_ACCT_PORT',
  'COA_PORT',
  'SYSLOG_PORT',
] as const;

/** A free port for each port setting. */
export async function freePorts(): Promise<Record<(typeof portNames)[number], string>> {
  const pairs = await Promise.all(portNames.map(async name => [name, String(await freePort())] as const));
  return Object.fromEntries(pairs) as Record<(typeof portNames)[number], string>;
}

/** Runs the product in another process, with the embedded database in `folder`; resolves when it is ready. */
export async function startProcess(folder: string, environment: Record<string, string>): Promise<ServerProcess> {
  const server = spawn(process.execPath, [main], {
    cwd: folder,
    env: { ...ofChildren, DEMO: '0', DATA_DIR: folder, ...environment },
    // The server ends when this channel closes with the test process.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let said = '';
  for (const stream of [server.stdout, server.stderr]) {
    stream?.on('data', chunk => {
      said = (said + chunk).slice(-4000);
    });
  }
  for (let waited = 0; !(await isReady(`${environment.HOST ?? '127.0.0.1'}:${environment.PORT}`)); waited += 50) {
    if (server.exitCode !== null || waited > 60_000) throw new Error(`The server did not start: ${said}`);
    await sleep(50);
  }
  // Another program answers at its port.
  if (server.exitCode !== null) throw new Error(`The server did not start: ${said}`);
  return {
    stop: () => end(server, 'SIGTERM'),
    kill: () => end(server, 'SIGKILL'),
    async killEverything() {
      const postmaster = Number(readFileSync(path.join(folder, 'postgres/data/postmaster.pid'), 'utf8').split('\n')[0]);
      const doomed = [postmaster, ...childrenOf(postmaster)];
      const gone = end(server, 'SIGKILL');
      for (const pid of doomed) killIfThere(pid);
      await gone;
    },
  };
}

const isReady = (at: string): Promise<boolean> =>
  fetch(`http://${at}/readyz`, { signal: AbortSignal.timeout(5000) }).then(
    answer => answer.ok,
    () => false,
  );

async function end(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exit = new Promise(resolve => server.once('exit', resolve));
  server.kill(signal);
  await exit;
}

/** A process of PostgreSQL ends by itself when its server or its client has gone. */
function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .filter(pid => parentOf(pid) === parent);
}

/** Field 4 of /proc/<pid>/stat, counted after the command name, which may contain spaces. */
function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}
