// The system under `npm run restarts`: an installation of several processes on one PostgreSQL, under load.
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Embedded, startEmbedded } from '../../server/src/db/embedded.ts';
import { asStarted, freePort, NODE_COMPILE_CACHE, root } from './product.ts';

/** The installation's administrator. */
export const account = { email: 'restarts@example.com', password: 'restarts-password' };
const portNames = [
  'PORT',
  'CAPTIVE_PORT',
  'METRICS_PORT',
  'RADIUS_AUTH_PORT',
  'RADIUS_ACCT_PORT',
  'SYSLOG_PORT',
  'COA_PORT',
] as const;
type Ports = Readonly<Record<(typeof portNames)[number], number>>;

/** One process of the product. It keeps its ports when it is restarted. */
export interface Server {
  readonly service: string;
  readonly ports: Ports;
  readonly isReady: () => Promise<boolean>;
  /** Ends it, by SIGTERM unless told otherwise, and starts it again. Resolves when it is ready. */
  readonly restart: (signal?: 'SIGTERM' | 'SIGKILL') => Promise<void>;
  readonly isRunning: () => boolean;
  /** Its process id, which changes at a restart. */
  readonly pid: () => number;
  /** The number of lines in its log so far. */
  readonly warnings: () => number;
}

export interface System {
  readonly folder: string;
  readonly postgres: Embedded;
  readonly servers: readonly Server[];
  readonly token: string;
  readonly connect: () => Promise<pg.Client>;
  readonly stop: () => Promise<void>;
}

export async function startSystem(services: readonly string[]): Promise<System> {
  const folder = mkdtempSync(path.join(tmpdir(), 'portico-restarts-'));
  chmodSync(folder, 0o755);
  // The settings of a production server: safe, with the default number of connections.
  const postgres = await startEmbedded(path.join(folder, 'postgres'), { settings: { max_connections: '100' } });
  const databaseUrl = postgres.url.replace('@/', '@localhost/');
  const children: ChildProcess[] = [];
  const environment = {
    ...{
      NODE_ENV: 'production',
      DATA_DIR: folder,
      DATABASE_URL: databaseUrl,
      HOST: '127.0.0.1',
      UDP_HOST: '127.0.0.1',
    },
    // The package sets it too.
    NODE_COMPILE_CACHE: path.join(root, 'node_modules/.cache/node'),
    ...{ ADMIN_EMAIL: account.email, ADMIN_PASSWORD: account.password, SECRET_KEY: 'k'.repeat(32) },
    ...{ RATE_LIMIT: '10000000', RADIUS_PACKETS_PER_SECOND: '1000000', LOG_LEVEL: 'warn' },
  };
  // To look into a process: --trace-gc, --heapsnapshot-signal, MALLOC_ARENA_MAX.
  for (const name of ['NODE_OPTIONS', 'MALLOC_ARENA_MAX'])
    if (process.env[name]) Object.assign(environment, { [name]: process.env[name] });
  const servers: Server[] = [];
  for (const service of services) servers.push(await startServer(service, environment, children));
  const connect = async () => {
    const client = new pg.Client({ connectionString: postgres.url });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  };
  const api = servers.find(it => it.service.split(',').includes('api'))!;
  return {
    ...{ folder, postgres, servers, connect },
    token: await signIn(api.ports.PORT),
    stop: async () => {
      await Promise.all(children.map(child => end(child)));
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startServer(service: string, common: object, children: ChildProcess[]): Promise<Server> {
  const chosen = await Promise.all(portNames.map(async name => [name, await freePort()] as const));
  const ports = Object.fromEntries(chosen) as Ports;
  const texts = Object.fromEntries(chosen.map(([name, port]) => [name, String(port)]));
  const isReady = () =>
    fetch(`http://127.0.0.1:${ports.METRICS_PORT}/readyz`).then(
      answer => answer.ok,
      () => false,
    );
  let child: ChildProcess;
  let warnings = 0;
  const launch = async () => {
    child = spawn(process.execPath, asStarted, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE, ...common, ...texts, SERVICES: service },
    });
    children.push(child);
    child.stdout?.on('data', (chunk: Buffer) => {
      for (const line of chunk.toString().split('\n')) if (line.startsWith('{')) warnings += 1;
      if (process.env['SHOW_LOGS']) process.stderr.write(chunk);
    });
    while (!(await isReady())) {
      if (child.exitCode !== null) throw new Error(`${service} ended with ${child.exitCode}`);
      await sleep(50);
    }
  };
  await launch();
  return {
    ...{ service, ports, isReady },
    warnings: () => warnings,
    pid: () => child.pid!,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    restart: async signal => {
      await end(child, signal);
      await launch();
    },
  };
}

async function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise(resolve => child.once('exit', resolve));
  child.kill(signal);
  await exit;
}

async function signIn(port: number): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/v1/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(account),
  });
  return ((await answer.json()) as { data: { token: string } }).data.token;
}
