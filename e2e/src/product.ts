import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import dgram from 'node:dgram';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startDnsServer } from '@portico/simulator/dns-server.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The addresses and the administrator of the product under test. */
export interface Product {
  readonly panel: string;
  readonly captive: string;
  readonly metrics: string;
  readonly host: string;
  readonly radiusAuthPort: number;
  readonly radiusAcctPort: number;
  /** The port of routers for Disconnect and CoA. */
  readonly coaPort: number;
  readonly syslogPort: number;
  /** The port of RADIUS over TLS. */
  readonly radsecPort: number;
  /** The port where it asks the national registry; a journey may listen there. */
  readonly registryPort: number;
  readonly email: string;
  readonly password: string;
  /** The DNS server that it asks about domains. */
  readonly dns: string;
  /** The data folder. */
  readonly dataDir: string;
  /** The folder of outgoing mails. */
  readonly outbox: string;
}

export interface Running {
  readonly product: Product;
  /** Stops the product like Ctrl-C and removes its data. */
  stop(): Promise<void>;
}

/** Starts the built product on free ports and an empty data folder, and waits until it is ready. */
export async function startProduct(settings: Record<string, string> = {}): Promise<Running> {
  const ports = await freePorts(9);
  const [panelPort, captivePort, metricsPort, authPort, acctPort, coaPort, syslogPort, radsecPort, registry] =
    ports as [number, number, number, number, number, number, number, number, number];
  const dns = await startDnsServer();
  const folder = mkdtempSync(path.join(tmpdir(), 'portico-e2e-'));
  chmodSync(folder, 0o755);
  const product: Product = {
    panel: `http://localhost:${panelPort}`,
    captive: `http://localhost:${captivePort}`,
    metrics: `http://127.0.0.1:${metricsPort}/metrics`,
    host: '127.0.0.1',
    radiusAuthPort: authPort,
    radiusAcctPort: acctPort,
    coaPort,
    syslogPort,
    radsecPort,
    registryPort: registry,
    email: 'admin@example.com',
    password: 'a password for tests',
    dns: dns.address,
    dataDir: folder,
    outbox: path.join(folder, 'outbox'),
  };
  const preload = ['--import', path.join(root, 'e2e/src/cloud-hotels.ts')];
  const server = spawn(process.execPath, [...preload, path.join(root, 'server/dist/main.js')], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'test',
      INTEGRATIONS_INSIDE: '1',
      DEMO: '0',
      DATA_DIR: folder,
      PORT: String(panelPort),
      CAPTIVE_PORT: String(captivePort),
      METRICS_PORT: String(metricsPort),
      RADIUS_AUTH_PORT: String(authPort),
      RADIUS_ACCT_PORT: String(acctPort),
      COA_PORT: String(coaPort),
      SYSLOG_PORT: String(syslogPort),
      RADSEC_PORT: String(radsecPort),
      ADMIN_EMAIL: product.email,
      ADMIN_PASSWORD: product.password,
      // All journeys share one address.
      RATE_LIMIT: '1000000',
      // Shortens the wait for a router that does not answer.
      COA_TIMEOUT: '2',
      // The simulated routers are on this machine.
      ROUTERS_INSIDE: '1',
      SMS_PREFIXES: '+90',
      DNS_SERVERS: dns.address,
      NVI_URL: `http://127.0.0.1:${registry}/Service/KPSPublic.asmx`,
      ...settings,
    },
  });
  let said = '';
  for (const stream of [server.stdout, server.stderr]) {
    stream?.on('data', chunk => {
      said = (said + chunk).slice(-8000);
    });
  }
  const stop = async () => {
    await ended(server);
    dns.close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await ready(server, product);
  } catch (error) {
    await stop();
    throw new Error(`The product did not start: ${(error as Error).message}\n${said}`, { cause: error });
  }
  return { product, stop };
}

async function ready(server: ChildProcess, product: Product): Promise<void> {
  for (let waited = 0; waited < 60_000; waited += 100) {
    if (server.exitCode !== null) throw new Error(`it ended with code ${server.exitCode}`);
    const answers = await Promise.all(
      [`${product.panel}/readyz`, product.metrics].map(url =>
        fetch(url).then(
          answer => answer.ok,
          () => false,
        ),
      ),
    );
    if (answers.every(Boolean)) return;
    await sleep(100);
  }
  throw new Error('it was not ready within a minute');
}

async function ended(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exit = new Promise(resolve => server.once('exit', resolve));
  server.kill('SIGTERM');
  await exit;
}

/**
 * Finds ports that are free for TCP and UDP; all are held until the last one is found, so that they differ. No outgoing
 * connection takes them before the product does, as these begin at 32768, and no unit test, as theirs begin at 20000. Browsers
 * refuse 10080.
 */
async function freePorts(count: number): Promise<number[]> {
  const held: { port: number; release: () => void }[] = [];
  while (held.length < count) {
    const found = await holdPort(randomInt(10_100, 20_000));
    if (found) held.push(found);
  }
  for (const { release } of held) release();
  return held.map(({ port }) => port);
}

async function holdPort(port: number): Promise<{ port: number; release: () => void } | undefined> {
  const tcp = net.createServer();
  const udp = dgram.createSocket('udp4');
  const release = () => {
    tcp.close();
    udp.close();
  };
  try {
    tcp.listen(port, '0.0.0.0');
    udp.bind(port, '0.0.0.0');
    await Promise.all([once(tcp, 'listening'), once(udp, 'listening')]);
    return { port, release };
  } catch {
    release();
    return undefined;
  }
}
