import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort, type Product, root } from './product.ts';
import type { Guest } from './radius-packets.ts';

// Debian's packages, unpacked without installing them: `npm test` does so, but for freeradius-postgresql.
const unpacked = path.join(root, '.cache/freeradius/usr');
const program = ['/usr/sbin/freeradius', '/usr/sbin/radiusd', path.join(unpacked, 'sbin/freeradius')].find(existsSync);
const modules = ['/usr/lib/freeradius', path.join(unpacked, 'lib/freeradius')].find(folder =>
  existsSync(path.join(folder, 'rlm_sql_postgresql.so')),
);
const config = ['/etc/freeradius/3.0', '/etc/raddb'].find(folder => existsSync(path.join(folder, sqlFolder(''))));
const secret = 'testing123';
const database = 'freeradius';

function sqlFolder(file: string): string {
  return path.join('mods-config/sql/main/postgresql', file);
}

/** Why there is no reference, or undefined. */
export function missingFreeRadius(): string | undefined {
  if (program && config && (modules || program === '/usr/sbin/radiusd')) return undefined;
  return 'RADIUS is not compared: FreeRADIUS is not installed (apt-get install freeradius freeradius-postgresql)';
}

export interface FreeRadius {
  readonly authPort: number;
  readonly acctPort: number;
  /** The same guests in FreeRADIUS' tables. */
  readonly guests: readonly Guest[];
  readonly pid: number;
  readonly stop: () => Promise<void>;
}

/**
 * FreeRADIUS with its stock schema, queries, threads and pool, in its own database on the product's PostgreSQL. The service is
 * the same: a password, limits and at most three devices per guest. Only the needed modules are loaded, which is faster than
 * its default site.
 */
export async function startFreeRadius(product: Product, guests: readonly Guest[], others: number): Promise<FreeRadius> {
  const folder = mkdtempSync(path.join(tmpdir(), 'portico-freeradius-'));
  const authPort = await freePort();
  const acctPort = await freePort();
  await makeDatabase(product, guests, others);
  writeFileSync(
    path.join(folder, 'radiusd.conf'),
    radiusdConf({ folder, host: product.databaseHost, authPort, acctPort }),
  );
  mkdirSync(path.join(folder, 'log'));
  const check = spawnSync(program!, ['-C', '-l', 'stdout', '-d', folder, '-n', 'radiusd'], { encoding: 'utf8' });
  if (check.status !== 0) throw new Error(`FreeRADIUS refuses its configuration: ${check.stdout.slice(-1500)}`);
  const child = spawn(program!, ['-f', '-d', folder, '-n', 'radiusd'], { stdio: 'ignore' });
  const exited = new Promise<void>(resolve => child.once('exit', () => resolve()));
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
    rmSync(folder, { recursive: true, force: true });
  };
  await ready(child, path.join(folder, 'log/radius.log')).catch(async error => {
    await stop();
    throw error;
  });
  return { authPort, acctPort, guests: guests.map(guest => ({ ...guest, secret })), pid: child.pid!, stop };
}

async function ready(child: ChildProcess, log: string): Promise<void> {
  for (let waited = 0; waited < 15_000; waited += 50) {
    const said = existsSync(log) ? readFileSync(log, 'utf8') : '';
    if (said.includes('Ready to process requests')) return;
    if (child.exitCode !== null) throw new Error(`FreeRADIUS ended: ${said.slice(-1500)}`);
    await sleep(50);
  }
  throw new Error('FreeRADIUS did not start');
}

async function makeDatabase(product: Product, guests: readonly Guest[], others: number): Promise<void> {
  const owner = await product.connect();
  await owner.query(`drop database if exists ${database}`);
  await owner.query(`create database ${database}`);
  await owner.end();
  const client = new pg.Client({ connectionString: product.databaseUrl.replace('/postgres?', `/${database}?`) });
  await client.connect();
  await client.query(readFileSync(path.join(config!, sqlFolder('schema.sql')), 'utf8'));
  await client.query(
    `insert into radcheck (username, attribute, op, value) select u, 'Cleartext-Password', ':=', p from unnest($1::text[], $2::text[]) x(u, p)
     union all select u, 'Simultaneous-Use', ':=', '3' from unnest($1::text[]) u
     union all select 'user' || lpad(n::text, 6, '0'), 'Cleartext-Password', ':=', 'secret' || n from generate_series(1, $3) n`,
    [guests.map(guest => guest.username), guests.map(guest => guest.password), others],
  );
  await client.query(
    `insert into radreply (username, attribute, op, value) select c.username, a.attribute, '=', a.value from (select distinct username from radcheck) c cross join (values
       ('Session-Timeout', '14400'), ('Idle-Timeout', '900'), ('Acct-Interim-Interval', '60'), ('Mikrotik-Rate-Limit', '8M/8M'),
       ('WISPr-Bandwidth-Max-Up', '8000000'), ('WISPr-Bandwidth-Max-Down', '8000000')) a(attribute, value)`,
  );
  await client.query('vacuum analyze');
  await client.end();
}

const radiusdConf = (it: { folder: string; host: string; authPort: number; acctPort: number }): string => `
prefix = ${it.folder}
localstatedir = ${it.folder}
${modules ? `libdir = ${modules}` : ''}
confdir = ${config}
modconfdir = ${config}/mods-config
logdir = ${it.folder}/log
run_dir = ${it.folder}
pidfile = ${it.folder}/pid
max_request_time = 30
cleanup_delay = 5
max_requests = 16384
log {
  destination = files
  file = ${it.folder}/log/radius.log
}
security {
  max_attributes = 200
  reject_delay = 1
  status_server = yes
}
proxy_requests = no
thread pool {
  start_servers = 5
  max_servers = 32
  min_spare_servers = 3
  max_spare_servers = 10
  max_requests_per_server = 0
}
client localhost {
  ipaddr = 127.0.0.1
  secret = ${secret}
}
modules {
  expr {
    safe_characters = "@abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_: /"
  }
  pap {
  }
  $INCLUDE ${config}/mods-available/always
  sql {
    dialect = "postgresql"
    driver = "rlm_sql_postgresql"
    radius_db = "host=${it.host} user=postgres dbname=${database}"
    acct_table1 = "radacct"
    acct_table2 = "radacct"
    postauth_table = "radpostauth"
    authcheck_table = "radcheck"
    groupcheck_table = "radgroupcheck"
    authreply_table = "radreply"
    groupreply_table = "radgroupreply"
    usergroup_table = "radusergroup"
    client_table = "nas"
    group_attribute = "SQL-Group"
    pool {
      start = 5
      min = 3
      max = 32
      spare = 10
      uses = 0
      retry_delay = 30
      lifetime = 0
      idle_timeout = 60
    }
    $INCLUDE ${config}/${sqlFolder('queries.conf')}
  }
}
policy {
  $INCLUDE ${config}/policy.d/
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
    sql
    pap
  }
  authenticate {
    Auth-Type PAP {
      pap
    }
  }
  preacct {
    acct_unique
  }
  accounting {
    sql
  }
  session {
    sql
  }
  post-auth {
    sql
  }
}
`;
