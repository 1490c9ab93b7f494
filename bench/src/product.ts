import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

export const root = fileURLToPath(new URL('../../', import.meta.url));
const admin = { email: 'bench@example.com', password: 'bench-password' };

async function freePort(): Promise<number> {
  return new Promise(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

/** The product as a user would run it, in production mode, on a folder and ports of its own. */
export interface Product {
  readonly url: string;
  readonly captiveUrl: string;
  readonly authPort: number;
  readonly acctPort: number;
  /** Connects to its embedded database as its owner. */
  readonly connect: () => Promise<pg.Client>;
  readonly databaseUrl: string;
  readonly pid: number;
  readonly startMs: number;
  readonly signIn: (tenant: string) => Promise<string>;
  readonly stop: () => Promise<void>;
}

export async function startProduct(): Promise<Product> {
  const folder = mkdtempSync(path.join(tmpdir(), 'portico-bench-'));
  const ports: number[] = [];
  while (ports.length < 6) {
    const port = await freePort();
    if (!ports.includes(port)) ports.push(port);
  }
  const [PORT, CAPTIVE_PORT, METRICS_PORT, RADIUS_AUTH_PORT, RADIUS_ACCT_PORT, SYSLOG_PORT] = ports as [number, number, number, number, number, number];
  const started = performance.now();
  const child: ChildProcess = spawn(process.execPath, ['server/src/main.ts'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      DATA_DIR: folder,
      HOST: '127.0.0.1',
      UDP_HOST: '127.0.0.1',
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
      RATE_LIMIT: '10000000',
      LOG_LEVEL: 'warn',
      ...Object.fromEntries(
        Object.entries({ PORT, CAPTIVE_PORT, METRICS_PORT, RADIUS_AUTH_PORT, RADIUS_ACCT_PORT, SYSLOG_PORT }).map(([k, v]) => [k, String(v)]),
      ),
    },
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout!.once('data', () => resolve());
    child.once('exit', code => reject(new Error(`The product stopped with ${code} before it was ready`)));
  });
  const startMs = performance.now() - started;
  const url = `http://127.0.0.1:${PORT}`;
  const databaseUrl = `postgresql://postgres@/postgres?host=${encodeURIComponent(path.join(folder, 'postgres'))}`;
  return {
    url,
    captiveUrl: `http://127.0.0.1:${CAPTIVE_PORT}`,
    authPort: RADIUS_AUTH_PORT,
    acctPort: RADIUS_ACCT_PORT,
    databaseUrl,
    pid: child.pid!,
    startMs,
    async connect() {
      const client = new pg.Client({ connectionString: databaseUrl });
      await client.connect();
      return client;
    },
    async signIn(tenant) {
      const client = new pg.Client({ connectionString: databaseUrl });
      await client.connect();
      // The bench's tenants have no people: each gets a copy of the installation's administrator.
      await client.query(
        `insert into users (tenant_id, id, email, first_name, last_name, password_hash, role)
         select t.id, gen_random_uuid(), u.email, u.first_name, u.last_name, u.password_hash, 'tenant-admin'
         from users u, tenants t where u.email = $1 and t.slug = $2 on conflict do nothing`,
        [admin.email, tenant],
      );
      await client.end();
      const response = await fetch(`${url}/v1/user/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-tenant': tenant },
        body: JSON.stringify(admin),
      });
      const { data } = (await response.json()) as { data: { token: string } };
      return data.token;
    },
    async stop() {
      await new Promise<void>(resolve => {
        child.once('exit', () => resolve());
        child.kill('SIGTERM');
      });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
