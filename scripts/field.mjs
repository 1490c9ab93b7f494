// `npm run field` tries real gateways: each runs in network namespaces between a phone and this checkout. It needs Linux, root
// and the packages that each lab names at its beginning. CHILLI_SRC (a clone of CoovaChilli) or CHILLI_PREFIX (where it is
// installed) chooses CoovaChilli. LONG=0 leaves out what takes minutes.
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from './build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { findNode, onNode } from './lib/node.mjs';
import { giveUp, root } from './lib/run.mjs';

/** The gateway reaches Portico at the first address of this network, through a pair of virtual interfaces. */
const uplink = '10.98.0';
const name = `field${process.pid}`;

if (process.platform !== 'linux' || process.getuid?.() !== 0)
  giveUp('npm run field makes network namespaces, which needs Linux and root');
if (!process.env.CHILLI_SRC && !process.env.CHILLI_PREFIX)
  giveUp('Name the source of CoovaChilli in CHILLI_SRC, or where it is installed in CHILLI_PREFIX');
const probe = spawnSync('ip', ['netns', 'add', name]);
if (probe.status !== 0) giveUp('Network namespaces are not allowed here');
spawnSync('ip', ['netns', 'del', name]);

await ensureInstalled();
await build();
const work = mkdtempSync(path.join(tmpdir(), 'portico-field-'));
// The embedded PostgreSQL runs as another user.
chmodSync(work, 0o755);
const [panel, captive, metrics, auth, acct, syslog] = await Promise.all(Array.from({ length: 6 }, freePort));
const account = { ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: 'a password for the field' };
const settings = {
  ...account,
  NODE_ENV: 'test',
  DEMO: '0',
  DATA_DIR: path.join(work, 'data'),
  HOST: '0.0.0.0',
  UDP_HOST: '0.0.0.0',
  PORT: panel,
  CAPTIVE_PORT: captive,
  METRICS_PORT: metrics,
  RADIUS_AUTH_PORT: auth,
  RADIUS_ACCT_PORT: acct,
  SYSLOG_PORT: syslog,
  PUBLIC_URL: `http://${uplink}.1:${panel}`,
  CAPTIVE_URL: `http://${uplink}.1:${captive}`,
  ROUTERS_INSIDE: '1',
  RATE_LIMIT: '1000000',
};

let server = await startServer();
const lab = spawn('bash', [path.join(root, 'scripts/field/coovachilli.sh')], {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...process.env,
    ...account,
    WORK: work,
    NODE: findNode(),
    UP: uplink,
    PANEL: `http://127.0.0.1:${panel}`,
    PORTAL: settings.CAPTIVE_URL,
  },
});
// The lab asks for a restart of Portico by this file, and waits until it is gone.
const wanted = path.join(work, 'restart');
let over = false;
const watching = (async () => {
  while (!over) {
    if (existsSync(wanted)) {
      await stopServer(server);
      server = await startServer();
      rmSync(wanted);
    }
    await sleep(100);
  }
})();
const code = await new Promise(resolve => lab.on('exit', status => resolve(status ?? 1)));
over = true;
await watching;
await stopServer(server);
rmSync(work, { recursive: true, force: true });
process.exit(code);

/** @returns {Promise<string>} */
function freePort() {
  return new Promise(resolve => {
    const probing = createServer();
    probing.listen(0, '0.0.0.0', () => {
      const address = probing.address();
      probing.close(() => resolve(String(typeof address === 'object' && address ? address.port : 0)));
    });
  });
}

async function startServer() {
  const node = findNode();
  const child = spawn(node, [path.join(root, 'server/src/main.ts')], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...onNode(node), ...settings },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', text => {
      said = `${said}${text}`.slice(-4000);
    });
  for (let tries = 0; tries < 1200; tries += 1) {
    if (child.exitCode !== null) break;
    const answer = await fetch(`http://127.0.0.1:${panel}/healthz`).catch(() => undefined);
    if (answer?.ok) return child;
    await sleep(100);
  }
  child.kill();
  return giveUp(`Portico does not start:\n${said}`);
}

/** @param {import('node:child_process').ChildProcess} child */
async function stopServer(child) {
  const gone = new Promise(resolve => child.once('exit', resolve));
  child.kill('SIGTERM');
  await gone;
}
