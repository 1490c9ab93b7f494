import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { type Embedded, startEmbedded } from './embedded.ts';

const root = process.getuid?.() === 0;
const folders: string[] = [];
const servers: Embedded[] = [];
const children: ChildProcess[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const server of servers.splice(0)) await server.stop();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'portico-embedded-'));
  chmodSync(folder, 0o755);
  folders.push(folder);
  return path.join(folder, 'postgres');
}

async function start(folder: string, onCrash?: (message: string) => void): Promise<Embedded> {
  const server = await startEmbedded(folder, onCrash ? { onCrash } : {});
  servers.push(server);
  return server;
}

async function query(server: { url: string }, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** Starts the launcher in a process of its own and resolves to the url that it prints. */
function startElsewhere(
  folder: string,
  as?: { uid: number; gid: number },
): Promise<{ child: ChildProcess; url: string }> {
  const launcher = new URL('./embedded.ts', import.meta.url).href;
  const program = `import { startEmbedded } from ${JSON.stringify(launcher)};
    const server = await startEmbedded(${JSON.stringify(folder)});
    console.log(server.url);
    process.on('SIGTERM', () => server.stop());`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    ...as,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  return new Promise((resolve, reject) => {
    let errors = '';
    child.stderr?.on('data', chunk => {
      errors += chunk;
    });
    child.stdout?.once('data', chunk => resolve({ child, url: String(chunk).trim() }));
    child.once('exit', () => reject(new Error(errors)));
  });
}

test('starts on an empty folder, and keeps the data over a restart', async () => {
  const folder = newFolder();
  const first = await start(folder);
  await query(first, "create table kept as select 'yes' as value");
  await first.stop();
  chmodSync(path.join(folder, 'data'), 0o755);
  const second = await start(folder);
  expect(await query(second, 'select value from kept')).toEqual([{ value: 'yes' }]);
  expect(await query(second, "select current_setting('jit') as jit, current_setting('fsync') as fsync")).toEqual([
    { jit: 'off', fsync: 'on' },
  ]);
});

test('refuses a second copy on the same folder in one line, from this process or another', async () => {
  const folder = newFolder();
  const server = await start(folder);
  await expect(startEmbedded(folder)).rejects.toThrow(/^Another copy is already running on [^\n]+$/);
  await expect(startElsewhere(folder)).rejects.toThrow(/Another copy is already running on/);
  expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('starts after kill -9 with all committed data', async () => {
  const folder = newFolder();
  const { child, url } = await startElsewhere(folder);
  await query({ url }, 'create table kept as select 7 as value');
  const [left] = await query({ url }, "select pg_read_file('postmaster.pid') as file");
  const orphan = Number(String(left?.file).split('\n')[0]);
  child.kill('SIGKILL');
  const server = await start(folder);
  expect(server.pid()).not.toBe(orphan);
  expect(await query(server, 'select value from kept')).toEqual([{ value: 7 }]);
});

test('restarts a killed server and reports it', async () => {
  const said: string[] = [];
  const server = await start(newFolder(), message => said.push(message));
  await query(server, 'create table kept as select 7 as value');
  process.kill(server.pid(), 'SIGKILL');
  await expect.poll(() => query(server, 'select value from kept')).toEqual([{ value: 7 }]);
  expect(said).toEqual(['PostgreSQL ended by itself (SIGKILL) and is started again']);
});

// One that restarts itself on a full disk can hang when there is room again.
test('a server of which a worker was killed ends, and is started again from outside', async () => {
  const said: string[] = [];
  const server = await start(newFolder(), message => said.push(message));
  await query(server, 'create table kept as select 7 as value');
  const before = server.pid();
  const [row] = await query(server, "select pid from pg_stat_activity where backend_type = 'checkpointer'");
  process.kill(Number(row?.['pid']), 'SIGKILL');
  await expect.poll(() => server.pid() !== before).toBe(true);
  await expect.poll(() => query(server, 'select value from kept')).toEqual([{ value: 7 }]);
  expect(said).toEqual(['PostgreSQL ended by itself (code 1) and is started again']);
});

test('tries again when the server cannot be started, and says why', async () => {
  const said: string[] = [];
  const folder = newFolder();
  const server = await start(folder, message => said.push(message));
  const [row] = await query(server, "select current_setting('hba_file') as file");
  const file = String(row?.['file']);
  renameSync(file, `${file}.away`);
  process.kill(server.pid(), 'SIGKILL');
  await expect.poll(() => said.at(-1)).toMatch(/did not start/);
  renameSync(`${file}.away`, file);
  await expect.poll(() => query(server, 'select 7 as value')).toEqual([{ value: 7 }]);
});

test('starts again when a worker of the killed server does not end', async () => {
  const server = await start(newFolder());
  const client = new pg.Client({ connectionString: server.url });
  client.on('error', () => undefined);
  await client.connect();
  const worker = Number((await client.query('select pg_backend_pid() as pid')).rows[0].pid);
  process.kill(worker, 'SIGSTOP');
  process.kill(server.pid(), 'SIGKILL');
  await expect.poll(() => query(server, 'select 7 as value')).toEqual([{ value: 7 }]);
});

test('works in a folder whose path is too long for a unix socket', async () => {
  const folder = path.join(newFolder(), 'a'.repeat(80), 'b'.repeat(40));
  const server = await start(folder);
  expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test.runIf(root)('as root, runs as another user, also below a folder that is closed to others', async () => {
  const folder = newFolder();
  chmodSync(path.dirname(folder), 0o700);
  const server = await start(folder);
  expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(statSync(`/proc/${server.pid()}`).uid).not.toBe(0);
});

const otherUser = { uid: 65534, gid: 65534 };
const reachable = root && spawnSync(process.execPath, ['--version'], { ...otherUser }).status === 0;

test.runIf(reachable)('works for an ordinary user, and root carries on with that user’s data', async () => {
  const folder = newFolder();
  mkdirSync(folder);
  chownSync(folder, otherUser.uid, otherUser.gid);
  const { child, url } = await startElsewhere(folder, otherUser);
  await query({ url }, 'create table kept as select 7 as value');
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  // It holds the folder until then.
  await ended;
  expect(existsSync(path.join(folder, 'data', 'postmaster.pid'))).toBe(false);
  const server = await start(folder);
  expect(await query(server, 'select value from kept')).toEqual([{ value: 7 }]);
});
