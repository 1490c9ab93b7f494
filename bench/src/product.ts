import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

export const root = fileURLToPath(new URL('../../', import.meta.url));
const admin = { email: 'bench@example.com', password: 'bench-password' };

/** A free TCP port. */
export async function freePort(): Promise<number> {
  return new Promise(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

/** The product as a user would run it: in production mode, with its own folder and ports. */
export interface Product {
  readonly url: string;
  readonly captiveUrl: string;
  readonly authPort: number;
  readonly acctPort: number;
  readonly syslogPort: number;
  /** Connects to its embedded database as its owner. */
  readonly connect: () => Promise<pg.Client>;
  readonly databaseUrl: string;
  /** The folder of the database's unix socket. */
  readonly databaseHost: string;
  /** Its process id, which changes at a restart. */
  readonly pid: number;
  /** A token of an administrator of this tenant. */
  readonly signIn: (tenant: string) => Promise<string>;
  /** Stops it and starts it again on its data. Returns the duration of the start in milliseconds. */
  readonly restart: () => Promise<number>;
  readonly stop: () => Promise<void>;
}

/** Starts the product on a folder of its own, or on `keep`, which stays. */
export async function startProduct(keep?: string): Promise<Product> {
  const folder = keep ? path.resolve(keep) : mkdtempSync(path.join(tmpdir(), 'portico-bench-'));
  if (keep) mkdirSync(folder, { recursive: true });
  // The embedded database runs as another user when we are root, and must reach its folder.
  chmodSync(folder, 0o755);
  const names = [
    'PORT',
    'CAPTIVE_PORT',
    'METRICS_PORT',
    'RADIUS_AUTH_PORT',
    'RADIUS_ACCT_PORT',
    'SYSLOG_PORT',
  ] as const;
  const ports = new Set<number>();
  while (ports.size < names.length) ports.add(await freePort());
  const chosen = Object.fromEntries([...ports].map((port, i) => [names[i]!, port])) as Record<
    (typeof names)[number],
    number
  >;
  const environment = {
    ...Object.fromEntries(Object.entries(chosen).map(([name, port]) => [name, String(port)])),
    NODE_ENV: 'production',
    // The setting of `npm start`.
    NODE_COMPILE_CACHE: path.join(root, 'node_modules/.cache/node'),
    DATA_DIR: folder,
    HOST: '127.0.0.1',
    UDP_HOST: '127.0.0.1',
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    // All load comes from one address here.
    RATE_LIMIT: '10000000',
    RADIUS_PACKETS_PER_SECOND: '1000000',
    LOG_LEVEL: 'warn',
  };
  let { child } = await launch(environment);
  const url = `http://127.0.0.1:${chosen.PORT}`;
  const databaseHost = path.join(folder, 'postgres');
  const databaseUrl = `postgresql://postgres@/postgres?host=${encodeURIComponent(databaseHost)}`;
  const connect = async () => {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    return client;
  };
  return {
    url,
    captiveUrl: `http://127.0.0.1:${chosen.CAPTIVE_PORT}`,
    authPort: chosen.RADIUS_AUTH_PORT,
    acctPort: chosen.RADIUS_ACCT_PORT,
    syslogPort: chosen.SYSLOG_PORT,
    databaseUrl,
    databaseHost,
    connect,
    get pid() {
      return child.pid!;
    },
    signIn: async tenant => {
      const client = await connect();
      try {
        return await signInTo(tenant, { client, url, account: admin });
      } finally {
        await client.end();
      }
    },
    restart: async () => {
      await end(child);
      const next = await launch(environment);
      child = next.child;
      return next.ms;
    },
    stop: async () => {
      await end(child);
      if (!keep) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Started with the arguments of scripts/start.mjs, the systemd unit and the image. */
export const asStarted = ['--max-semi-space-size=8', 'server/dist/main.js'];
export const NODE_COMPILE_CACHE = path.join(root, 'node_modules/.cache/node');

/** Resolves when it has printed that it is ready. */
async function launch(environment: Record<string, string>): Promise<{ child: ChildProcess; ms: number }> {
  const began = performance.now();
  const child = spawn(process.execPath, asStarted, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE, ...environment },
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout!.once('data', () => resolve());
    child.once('exit', code => reject(new Error(`The product stopped with ${code} before it was ready`)));
  });
  const took = performance.now() - began;
  // Its messages explain the figures.
  child.stdout!.pipe(process.stderr);
  return { child, ms: took };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise<void>(resolve => child.once('exit', () => resolve()));
  child.kill('SIGTERM');
  await exited;
}

interface Place {
  /** Connected as the database's owner. */
  readonly client: pg.Client;
  readonly url: string;
  /** The installation's administrator. */
  readonly account: { readonly email: string; readonly password: string };
}

/** A token of an administrator of this tenant. A tenant made by SQL has no users: it gets a copy of the installation's administrator. */
export async function signInTo(tenant: string, { client, url, account }: Place): Promise<string> {
  await client.query(
    `insert into users (tenant_id, id, email, first_name, last_name, password_hash, role)
     select t.id, gen_random_uuid(), u.email, u.first_name, u.last_name, u.password_hash, 'tenant-admin'
     from users u, tenants t where u.email = $1 and t.slug = $2 on conflict do nothing`,
    [account.email, tenant],
  );
  const response = await fetch(`${url}/v1/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-tenant': tenant },
    body: JSON.stringify(account),
  });
  if (!response.ok) throw new Error(`Sign-in to ${tenant}: ${response.status} ${await response.text()}`);
  const { data } = (await response.json()) as { data: { token: string } };
  return data.token;
}
