import { execFileSync, spawn } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './process.ts';

const program = process.env['PGBOUNCER'] ?? 'pgbouncer';

function versionOf(): number[] | undefined {
  try {
    const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(execFileSync(program, ['--version'], { encoding: 'utf8' }))!;
    return [Number(major), Number(minor)];
  } catch {
    return undefined;
  }
}

const version = versionOf();

/** Why the tests behind PgBouncer cannot run here; undefined if they can. */
export const noPgbouncer = !version
  ? 'there is no pgbouncer: install 1.21 or later, or name the program in PGBOUNCER'
  : version[0] === 1 && version[1]! < 21
    ? `pgbouncer ${version.join('.')} keeps no prepared statements: install 1.21 or later, or name the program in PGBOUNCER`
    : undefined;

export interface Pgbouncer {
  /** The address of a database behind the pooler. */
  urlOf(direct: string): string;
  stop(): Promise<void>;
}

/** Runs a real PgBouncer in transaction mode before the PostgreSQL of `server`, which has a unix socket. */
export async function startPgbouncer(server: string, settings: Readonly<Record<string, string>>): Promise<Pgbouncer> {
  const sockets = new URL(server.replace('@/', '@localhost/')).searchParams.get('host')!;
  // PgBouncer refuses to run as root, and only the account of PostgreSQL may open its socket.
  const { uid, gid } = statSync(sockets);
  const folder = mkdtempSync(path.join(tmpdir(), 'portico-pgbouncer-'));
  const port = await freePort();
  mkdirSync(path.join(folder, 'empty'));
  writeFileSync(
    path.join(folder, 'pgbouncer.ini'),
    [
      '[databases]',
      `* = host=${sockets} port=5432 user=postgres`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = any',
      'pool_mode = transaction',
      ...Object.entries(settings).map(([name, value]) => `${name} = ${value}`),
    ].join('\n'),
  );
  for (const name of ['', 'empty', 'pgbouncer.ini']) chownSync(path.join(folder, name), uid, gid);
  const child = spawn(program, [path.join(folder, 'pgbouncer.ini')], {
    cwd: path.join(folder, 'empty'),
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(process.getuid?.() === 0 && { uid, gid }),
  });
  let said = '';
  child.stderr.on('data', chunk => {
    said = (said + chunk).slice(-2000);
  });
  for (let waited = 0; !(await opens(port)); waited += 20) {
    if (child.exitCode !== null || waited > 10_000) throw new Error(`PgBouncer did not start: ${said}`);
    await sleep(20);
  }
  return {
    urlOf: direct => {
      const name = new URL(direct.replace('@/', '@localhost/')).pathname;
      return `postgresql://postgres@127.0.0.1:${port}${name}`;
    },
    stop: async () => {
      const exit = new Promise(resolve => child.once('exit', resolve));
      if (child.exitCode === null && child.kill('SIGKILL')) await exit;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const opens = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
