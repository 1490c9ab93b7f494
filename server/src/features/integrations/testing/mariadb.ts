import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createConnection } from 'mysql2/promise';
import { freePort } from '#test/process.ts';

const mariadbd = '/usr/sbin/mariadbd';

/** A real MariaDB (Debian's mariadb-server-core) in a temporary folder, with the login `pms` for the hotel's table. */
export async function startMariadb(more: readonly string[] = []) {
  if (!existsSync(mariadbd))
    throw new Error('MariaDB is missing: apt-get install mariadb-server-core mariadb-client-core');
  const folder = mkdtempSync(path.join(tmpdir(), 'portico-mariadb-'));
  const data = path.join(folder, 'data');
  const user = process.getuid?.() === 0 ? ['--user=root'] : [];
  const common = ['--no-defaults', `--datadir=${data}`, ...user];
  execFileSync(
    'mariadb-install-db',
    [...common, '--auth-root-authentication-method=normal', '--skip-test-db', '--skip-name-resolve'],
    { stdio: 'pipe' },
  );
  const port = await freePort();
  const socket = path.join(folder, 's');
  const options = ['--bind-address=127.0.0.1', `--port=${port}`, `--socket=${socket}`, `--pid-file=${folder}/pid`];
  const server = spawn(
    mariadbd,
    [
      ...common,
      ...options,
      ...more,
      '--skip-name-resolve',
      '--innodb-buffer-pool-size=16M',
      '--innodb-flush-log-at-trx-commit=0',
    ],
    { stdio: 'ignore' },
  );
  const stop = async (): Promise<void> => {
    const gone = new Promise(resolve => server.once('exit', resolve));
    server.kill();
    await gone;
    rmSync(folder, { recursive: true, force: true });
  };
  for (let tries = 0; ; tries++) {
    const open = await new Promise<boolean>(resolve => {
      const probe = connect(socket, () => probe.destroy() && resolve(true)).on('error', () => resolve(false));
    });
    if (open) break;
    if (tries > 1200) throw new Error('MariaDB did not start');
    await sleep(100);
  }
  const root = await createConnection({ socketPath: socket, user: 'root', multipleStatements: true });
  await root.query(`create database hotel; use hotel;
    create user pms@'127.0.0.1' identified by 'pms-parola'; grant select on hotel.* to pms@'127.0.0.1'`);
  return {
    port,
    query: (text: string) => root.query(text),
    stop: async () => {
      await root.end();
      await stop();
    },
  };
}
