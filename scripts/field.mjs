// `npm run field` tries real gateways: each runs in network namespaces between a phone and this checkout. It needs Linux, root
// and the packages that each lab names at its beginning. openNDS runs if it is installed, CoovaChilli if CHILLI_SRC (a clone of
// it) or CHILLI_PREFIX (where it is installed) is set; `npm run field -- coovachilli` runs only that one. LONG=0 leaves out what
// takes minutes. `npm run field -- --if-possible` runs a short form of openNDS, or says why not.
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer as createTlsServer } from 'node:tls';
import { build } from './build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { findNode, onNode, serverMain } from './lib/node.mjs';
import { giveUp, root } from './lib/run.mjs';

/** The gateway reaches Portico at the first address of this network, through a pair of virtual interfaces. */
const uplink = '10.98.0';
const name = `field${process.pid}`;
const ifPossible = process.argv.includes('--if-possible');

/** The programs that each lab needs, with their Debian packages. CoovaChilli's own build tools are named in its lab. */
const common = { ip: 'iproute2', busybox: 'busybox', curl: 'curl', pgrep: 'procps', openssl: 'openssl' };
const needs = {
  opennds: {
    ...common,
    ...{ dnsmasq: 'dnsmasq-base', 'iptables-nft': 'iptables', nft: 'nftables', php: 'php-cli', unshare: 'util-linux' },
  },
  coovachilli: { ...common, iptables: 'iptables', ethtool: 'ethtool', xxd: 'xxd', unshare: 'util-linux' },
};

const chosen = Object.keys(needs).filter(lab => process.argv.includes(lab));
const asked = lab => chosen.length === 0 || chosen.includes(lab);
const labs = [];
if (asked('opennds') && existsSync('/usr/bin/opennds')) labs.push('opennds');
if (asked('coovachilli') && !ifPossible && (process.env.CHILLI_SRC || process.env.CHILLI_PREFIX))
  labs.push('coovachilli');
const obstacle = whyNot();
if (obstacle) {
  if (!ifPossible) giveUp(obstacle);
  console.log(`Real gateways are not tried: ${obstacle}`);
  process.exit(0);
}

await ensureInstalled();
await build();
const work = mkdtempSync(path.join(tmpdir(), 'portico-field-'));
// The embedded PostgreSQL runs as another user.
chmodSync(work, 0o755);
const [panel, captive, metrics, auth, acct, syslog, doorPort] = await Promise.all(Array.from({ length: 7 }, freePort));
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
  CAPTIVE_URL: labs.includes('opennds') ? `https://portal.field:${doorPort}` : `http://${uplink}.1:${captive}`,
  ROUTERS_INSIDE: '1',
  RATE_LIMIT: '1000000',
};

const cert = path.join(work, 'cert.pem');
const door = labs.includes('opennds') ? await openDoor() : undefined;
let server = await startServer();
let code = 0;
for (const lab of labs) code = (await runLab(lab)) || code;
await stopServer(server);
door?.close();
rmSync(work, { recursive: true, force: true });
process.exit(code);

function whyNot() {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'network namespaces need Linux and root';
  if (labs.length === 0)
    return 'opennds not found: apt-get install opennds, or name the source of CoovaChilli in CHILLI_SRC, or its place in CHILLI_PREFIX';
  const missing = [...new Set(labs.flatMap(lab => Object.entries(needs[lab])))].filter(
    ([tool]) => spawnSync('sh', ['-c', `command -v ${tool}`]).status !== 0,
  );
  if (missing.length > 0) {
    const packages = [...new Set(missing.map(([, name]) => name))].join(' ');
    return `${missing.map(([tool]) => tool).join(', ')} not found: apt-get install ${packages}`;
  }
  const probe = spawnSync('ip', ['netns', 'add', name]);
  if (probe.status !== 0) return 'network namespaces are not allowed here';
  // openNDS 9.10 makes its rules with iptables and reads them with nft.
  const iptables = labs.includes('opennds') ? 'iptables-nft' : 'iptables';
  const rule = ['-t', 'mangle', '-A', 'FORWARD', '-s', '10.77.0.50', '-j', 'MARK', '--set-mark', '1'];
  const inside = spawnSync('ip', ['netns', 'exec', name, iptables, ...rule], { encoding: 'utf8' });
  spawnSync('ip', ['netns', 'del', name]);
  return inside.status === 0
    ? undefined
    : `${iptables} does not work in a network namespace here: ${inside.stderr.trim()}`;
}

/** openNDS fetches permissions over TLS only: a door with a certificate of its own, in front of the portal. */
function openDoor() {
  const made = spawnSync('openssl', [
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=portal.field'],
    ...['-addext', 'subjectAltName=DNS:portal.field', '-keyout', path.join(work, 'key.pem'), '-out', cert],
  ]);
  if (made.status !== 0) giveUp(`openssl makes no certificate: ${made.stderr}`);
  const tls = createTlsServer({ key: readFileSync(path.join(work, 'key.pem')), cert: readFileSync(cert) }, socket => {
    const inner = connect(Number(captive), '127.0.0.1');
    socket.pipe(inner).pipe(socket);
    for (const it of [socket, inner]) it.on('error', () => [socket, inner].forEach(each => each.destroy()));
  });
  return new Promise(resolve => tls.listen(Number(doorPort), '0.0.0.0', () => resolve(tls)));
}

/** Runs a lab, and restarts Portico when it asks for that by a file. It waits until the file is gone. */
async function runLab(lab) {
  console.log(`── ${lab}`);
  const safe = lab === 'opennds';
  const folder = path.join(work, lab);
  mkdirSync(folder);
  // Each lab has a portal with or without TLS, so Portico begins anew.
  if (safe !== settings.CAPTIVE_URL.startsWith('https:')) {
    await stopServer(server);
    settings.CAPTIVE_URL = safe ? `https://portal.field:${doorPort}` : `http://${uplink}.1:${captive}`;
    server = await startServer();
  }
  const run = spawn('bash', [path.join(root, `scripts/field/${lab}.sh`)], {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      ...account,
      WORK: folder,
      NODE: findNode(),
      UP: uplink,
      CERT: cert,
      SHORT: ifPossible || process.env.LONG === '0' ? '1' : '0',
      PANEL: `http://127.0.0.1:${panel}`,
      PORTAL: settings.CAPTIVE_URL,
    },
  });
  const wanted = path.join(folder, 'restart');
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
  const status = await new Promise(resolve => run.on('exit', result => resolve(result ?? 1)));
  over = true;
  await watching;
  return status;
}

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
  const child = spawn(node, [serverMain], {
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
