import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from './process.ts';

// Debian's freeradius, an independent client of RADIUS over TLS; `npm test` downloads it.
const unpacked = fileURLToPath(new URL('../../../.cache/freeradius/usr/sbin/freeradius', import.meta.url));
const program = ['/usr/sbin/freeradius', unpacked].find(existsSync);

export const proxySecret = 'testing123';

/** Where FreeRADIUS forwards to: over TLS, or over UDP, where it gives up on a silent server at once. */
type Upstream = { radsecPort: number } | { ports: { auth: number; acct: number }; secret: string };

export interface Proxy {
  readonly authPort: number;
  readonly acctPort: number;
  readonly log: () => string;
  readonly stop: () => Promise<void>;
}

/**
 * FreeRADIUS in the role of a router. It forwards UDP over TLS with the certificate in `folder` (device.pem, device.key,
 * ca.pem), or over UDP with a secret. It uses TLS 1.2: with 1.3, FreeRADIUS 3.2 reads the session tickets after the handshake
 * with a blocking call. One connection in ten then never sends its first request.
 */
export async function startProxy(it: { folder: string } & Upstream): Promise<Proxy> {
  if (!program) throw new Error('FreeRADIUS is missing: npm test downloads it');
  const [authPort, acctPort] = [await freePort(), await freePort()];
  const { folder } = it;
  mkdirSync(path.join(folder, 'log'), { recursive: true });
  writeFileSync(path.join(folder, 'radiusd.conf'), config({ ...it, authPort, acctPort }));
  const child = spawn(program, ['-f', '-d', folder, '-n', 'radiusd'], { stdio: 'ignore' });
  const exited = new Promise<void>(resolve => child.once('exit', () => resolve()));
  const file = path.join(folder, 'log/radius.log');
  const log = () => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  const stop = async () => {
    child.kill('SIGTERM');
    // FreeRADIUS 3 may loop on a closed TLS connection and ignore the signal.
    const timer = setTimeout(() => child.kill('SIGKILL'), 3000);
    await exited;
    clearTimeout(timer);
  };
  await ready(child, log).catch(async error => {
    await stop();
    throw error;
  });
  return { authPort, acctPort, log, stop };
}

async function ready(child: ChildProcess, log: () => string): Promise<void> {
  for (let waited = 0; waited < 20_000; waited += 50) {
    if (log().includes('Ready to process requests')) return;
    if (child.exitCode !== null) break;
    await sleep(50);
  }
  throw new Error(`FreeRADIUS did not start: ${log().slice(-1500)}`);
}

const overTls = (folder: string, port: number): string => `
home_server portico {
  type = auth+acct
  ipaddr = 127.0.0.1
  port = ${port}
  proto = tcp
  secret = radsec
  response_window = 5
  zombie_period = 5
  status_check = status-server
  check_interval = 6
  num_answers_to_alive = 1
  revive_interval = 60
  tls {
    certificate_file = ${folder}/device.pem
    private_key_file = ${folder}/device.key
    ca_file = ${folder}/ca.pem
    tls_min_version = "1.2"
    tls_max_version = "1.2"
  }
}
home_server_pool portico {
  type = fail-over
  home_server = portico
}
realm portico {
  auth_pool = portico
  acct_pool = portico
  nostrip
}`;

const overUdp = ({ auth, acct }: { auth: number; acct: number }, secret: string): string => {
  // The smallest windows that FreeRADIUS allows.
  const server = (type: 'auth' | 'acct', port: number): string => `
home_server ${type} {
  type = ${type}
  ipaddr = 127.0.0.1
  port = ${port}
  secret = ${secret}
  response_window = 5
  response_timeouts = 1
  zombie_period = 20
  status_check = status-server
  check_interval = 6
  check_timeout = 4
  num_answers_to_alive = 3
  revive_interval = 3600
}
home_server_pool ${type} {
  type = fail-over
  home_server = ${type}
}`;
  return `${server('auth', auth)}${server('acct', acct)}
realm portico {
  auth_pool = auth
  acct_pool = acct
  nostrip
}`;
};

const config = (it: { folder: string; authPort: number; acctPort: number } & Upstream): string => `
prefix = ${it.folder}
localstatedir = ${it.folder}
logdir = ${it.folder}/log
run_dir = ${it.folder}
pidfile = ${it.folder}/pid
max_request_time = 10
cleanup_delay = 1
log {
  destination = files
  file = ${it.folder}/log/radius.log
}
security {
  reject_delay = 0
  status_server = yes
}
proxy_requests = yes
proxy server {
  default_fallback = no
}
${'ports' in it ? overUdp(it.ports, it.secret) : overTls(it.folder, it.radsecPort)}
client localhost {
  ipaddr = 127.0.0.1
  secret = ${proxySecret}
}
thread pool {
  start_servers = 1
  max_servers = 4
  min_spare_servers = 1
  max_spare_servers = 2
}
modules {
}
server default {
  listen {
    type = auth
    ipaddr = 127.0.0.1
    port = ${it.authPort}
  }
  listen {
    type = acct
    ipaddr = 127.0.0.1
    port = ${it.acctPort}
  }
  authorize {
    update control {
      Proxy-To-Realm := "portico"
    }
  }
  preacct {
    update control {
      Proxy-To-Realm := "portico"
    }
  }
}
`;
