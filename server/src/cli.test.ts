import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { importJobs } from '#features/imports/imports.jobs.ts';
import { type Body, startApi, type TestApi } from '#test/harness.ts';
import { ofChildren } from '#test/process.ts';

const script = fileURLToPath(new URL('./cli.ts', import.meta.url));
let api: TestApi;
let folder: string;
beforeAll(async () => {
  api = await startApi();
  folder = mkdtempSync(path.join(tmpdir(), 'portico-cli-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ran {
  code: number | null;
  out: string;
  error: string;
}
function portico(args: readonly string[], environment: Record<string, string> = {}): Promise<Ran> {
  const env = {
    ...ofChildren,
    DATA_DIR: folder,
    // The socket of the test run's PostgreSQL, in the format of the setting.
    DATABASE_URL: (api.app.db.pool.options as { connectionString: string }).connectionString.replace(
      '@/',
      '@localhost/',
    ),
    ...environment,
  };
  const child = spawn(process.execPath, [script, ...args], { env });
  const ran: Ran = { code: null, out: '', error: '' };
  child.stdout.on('data', chunk => (ran.out += chunk));
  child.stderr.on('data', chunk => (ran.error += chunk));
  return new Promise(resolve => child.once('close', code => resolve({ ...ran, code })));
}
/** Reads nothing of the output, as `portico … | head` may do. */
function porticoUnread(args: readonly string[]): Promise<Ran> {
  const child = spawn(process.execPath, [script, ...args], { env: { ...ofChildren, DATA_DIR: folder } });
  const ran: Ran = { code: null, out: '', error: '' };
  child.stdout.destroy();
  child.stderr.on('data', chunk => (ran.error += chunk));
  return new Promise(resolve => child.once('close', code => resolve({ ...ran, code })));
}
const login = (email: string, password: string, tenant: string) =>
  api.post('user/login', { tenant, body: { email, password } });

// Each command is a process that loads the whole program.
const slow = { timeout: 120_000 };

test('takes no offence at a reader that has seen enough', slow, async () => {
  expect(await porticoUnread(['api', '--list'])).toMatchObject({ code: 0, error: '' });
});

/** The entries of the audit log that the command line made. */
const audited = async (subject: string): Promise<unknown[]> =>
  (await api.app.db.pool.query(`select verb, after from audit_log where subject_name = $1 and after ? 'by'`, [subject]))
    .rows;

test('creates a tenant whose administrator can sign in, and lists it', slow, async () => {
  const made = await portico([
    'tenant',
    'create',
    '--slug',
    'acme',
    '--name',
    'Acme Ağ',
    '--email',
    'Ece@Acme.example',
  ]);
  expect(made).toMatchObject({ code: 0, error: '' });
  const password = /Sign in {2}ece@acme\.example \/ (\w+) \(shown once\)/.exec(made.out)![1]!;
  expect((await login('ece@acme.example', password, 'acme')).body.data.user.is_team_admin).toBe(true);
  expect(await audited('acme')).toEqual([{ verb: 'create', after: { by: 'command line', email: 'ece@acme.example' } }]);
  expect((await portico(['tenant', 'list'])).out).toMatch(/acme +Acme Ağ +0 +1 +\d{4}-/);
  const again = await portico(['tenant', 'create', '--slug', 'acme', '--email', 'a@b.example']);
  expect(again).toMatchObject({ code: 1, out: '', error: 'The tenant acme exists already\n' });
});

test('resets a password and ends all sign-ins', slow, async () => {
  const { email, token } = await api.user('member');
  const set = await portico(['user', 'reset-password', '--email', email, '--password', 'baska-parola']);
  expect(set).toMatchObject({ code: 0, out: `Sign in  ${email}\n` });
  expect((await api.get('panel/user/me', { token })).status).toBe(401);
  expect((await login(email, 'baska-parola', 'panel')).status).toBe(200);
  expect(await audited(email)).toEqual([{ verb: 'update', after: { password_reset: true, by: 'command line' } }]);
  const unknown = await portico(['user', 'reset-password', '--email', 'nobody@example.com']);
  expect(unknown).toMatchObject({ code: 1, error: 'The tenant panel has no user nobody@example.com\n' });
  const nowhere = await portico(['user', 'reset-password', '--email', email, '--tenant', 'nowhere']);
  expect(nowhere.error).toContain('There is no tenant nowhere');
});

test('prints help, and refuses unknown commands in one line', slow, async () => {
  expect((await portico(['--help'])).out).toMatch(/tenant create +make a tenant/);
  expect((await portico(['user', 'reset-password', '--help'])).out).toContain('--drop-two-factor');
  for (const [args, error] of [
    [['fly', 'away'], 'There is no command fly away (portico --help)\n'],
    [['tenant', 'create', '--slug', 'x'], '--email is needed (portico tenant create --help)\n'],
    [['tenant', 'list', '--all'], "Unknown option '--all' (portico tenant list --help)\n"],
  ] as const)
    expect(await portico(args)).toEqual({ code: 2, out: '', error });
  const bad = await portico(['tenant', 'create', '--slug', 'Büyük', '--email', 'a@b.example']);
  expect(bad.error).toMatch(/^--slug must begin/);
  expect((await portico(['tenant', 'list'], { PORT: 'x' })).error).toMatch(/^PORT must be/);
});

test('lists the settings, also while one is wrong', slow, async () => {
  expect(await portico(['settings'], { PORT: 'x' })).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^ {2}PORT +8080/m),
  });
});

test('says in one line which setting is wrong when the database is away', slow, async () => {
  expect(await portico(['tenant', 'list'], { DATABASE_URL: 'postgresql://portico@127.0.0.1:1/portico' })).toEqual({
    code: 1,
    out: '',
    error: 'DATABASE_URL must lead to a PostgreSQL server that answers: connect ECONNREFUSED 127.0.0.1:1\n',
  });
});

test('confirms a clock that was in doubt', slow, async () => {
  await api.app.db.pool.query(`update clock set known_at = now() - interval '99 days', doubted_since = now()`);
  expect((await portico(['clock', 'confirm'])).out).toMatch(/^Confirmed {2}\d{4}-\d\d-\d\dT[\d:.]+Z\n$/);
  const { rows } = await api.app.db.pool.query(
    `select known_at > now() - interval '1 hour' as known, doubted_since from clock`,
  );
  expect(rows).toEqual([{ known: true, doubted_since: null }]);
});

test('verifies log files without a database and without creating a key', slow, async () => {
  const elsewhere = path.join(folder, 'copy');
  const checked = await portico(['logs', 'verify', '--offline'], { DATABASE_URL: '', DATA_DIR: elsewhere });
  expect(checked).toEqual({
    code: 0,
    out: 'Signatures are not checked: there is no SECRET_KEY\n0 devices: all files are unchanged\n',
    error: '',
  });
  expect(existsSync(path.join(elsewhere, 'secret.key'))).toBe(false);
});

test('lets accounts sign in with passwords again, when single sign-on is lost', slow, async () => {
  const { email } = await api.user('reseller');
  const { id } = await api.user('tenant-admin');
  const allow = () => portico(['tenant', 'allow-passwords']);
  expect(await allow()).toEqual({ code: 0, out: 'panel does not enforce it\n', error: '' });
  await api.inTenant(tx =>
    tx.run(sql`insert into sso_providers (tenant_id, enabled, label, issuer, client_id, client_secret, domains, groups_claim,
        create_accounts, enforced, emergency_user_id)
      values (current_tenant(), true, 'Acme', 'https://id.example', 'portico', 'x', '{}', 'groups', false, true, ${id})`),
  );
  const refused = await login(email, 'secret1', 'panel');
  expect([refused.status, refused.body.code]).toEqual([403, 'sso_required']);
  expect(await allow()).toEqual({ code: 0, out: 'Accounts of panel sign in with their passwords again\n', error: '' });
  expect((await login(email, 'secret1', 'panel')).status).toBe(200);
  const { rows } = await api.app.db.pool.query(`select verb, after from audit_log where subject_type = 'sso'`);
  expect(rows).toEqual([{ verb: 'update', after: { enforced: false, by: 'command line' } }]);
  const nowhere = await portico(['tenant', 'allow-passwords', '--tenant', 'nowhere']);
  expect(nowhere).toMatchObject({ code: 1, out: '', error: expect.stringContaining('There is no tenant nowhere') });
});

test('imports visitors of another program: a report first, then for real', slow, async () => {
  const admin = (await api.user('tenant-admin')).token;
  const location = await api.location(admin, 'Kafe');
  const profile = { name: 'Öğrenci', location_id: location };
  const { id } = (await api.post('panel/location/user-profile', { token: admin, body: profile })).body.data;
  const body = { name: 'Import', permissions: ['store-clients', 'view-clients'], location_id: location };
  const { token } = (await api.post('panel/user/token', { token: admin, body })).body.data;
  const file = path.join(folder, 'users.csv');
  writeFileSync(file, 'Username,Password,Group\ncli-ada,secret-1,students\ncli-bob,,students\n');
  const run = (...args: string[]) =>
    portico(['import', ...args], { PORTICO_URL: api.url, PORTICO_TOKEN: token, PORTICO_TENANT: 'panel' });
  const names = async () =>
    (await api.get('panel/client?search=cli-', { token: admin })).body.data.map((it: Body) => it.username);

  const report = await run(file, `students=${id}`);
  expect(report, report.error).toMatchObject({ code: 0, error: '' });
  expect(report.out).toMatch(/Visitors {2}2: 1 to create, 0 to update, 1 to skip/);
  expect(report.out).toContain(`Group     students: 2, session profile ${id}`);
  expect(report.out).toMatch(/Line 3 {2}cli-bob: /);
  expect(await names()).toEqual([]);

  const [, known] = /--id (\S+) --start/.exec(report.out)!;
  const started = run('--id', known!, '--start');
  await vi.waitFor(async () => {
    await importJobs[0]!.run(api.app);
    expect(await names()).toEqual(['cli-ada']);
  }, 60_000);
  expect(await started).toMatchObject({
    code: 0,
    error: '',
    out: expect.stringMatching(/Created {3}1, updated 0, skipped 1/),
  });
  expect((await run('--id', known!, '--start')).out).toMatch(/^Created {3}1, updated 0, skipped 1/);

  // The answer to the first part is lost.
  let lost = 0;
  const between = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', async () => {
      const { host: _, connection: __, 'content-length': ___, 'transfer-encoding': ____, ...headers } = request.headers;
      const answer = await fetch(api.url + request.url, {
        method: request.method!,
        headers: headers as Record<string, string>,
        ...(parts.length > 0 && { body: Buffer.concat(parts) }),
      });
      const text = await answer.text();
      if (request.url!.endsWith('/part') && ++lost === 1) return request.socket.destroy();
      return response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
    });
  });
  await new Promise<void>(resolve => between.listen(0, 'localhost', resolve));
  const past = path.join(folder, 'radacct.sql');
  writeFileSync(past, 'no past session');
  const { port } = between.address() as AddressInfo;
  const sending = run(past, '--sessions', '--url', `http://localhost:${port}`);
  const readAll = async (isDone: () => Promise<boolean>) =>
    vi.waitFor(async () => {
      await importJobs.find(it => it.name === 'read past sessions')!.run(api.app);
      expect(await isDone()).toBe(true);
    }, 60_000);
  const imports = async () => (await api.get('panel/client-import', { token: admin })).body.data as Body[];
  await readAll(async () => (await imports())[0]!['state'] === 'failed');
  expect((await sending).out).toContain('The file has no past sessions');
  expect(lost).toBe(1);
  between.close();

  // The rest of a file that was announced before.
  const announced = await api.post('panel/client-import/sessions', {
    token: admin,
    body: { location_id: location, file_name: 'radacct.sql', bytes: 15 },
  });
  const rest = run('--sessions', '--id', announced.body.data.id, past);
  await readAll(async () => (await imports())[0]!['state'] === 'failed');
  expect((await rest).out).toContain('The file has no past sessions');
  expect((await run('--sessions', '--id', announced.body.data.id, file)).error).toContain('is not of a file of');

  expect((await run(file, 'teachers=1')).error).toContain('The file has no group teachers=1');
  expect((await run(path.join(folder, 'none.csv'))).error).toContain('none.csv');
  expect(await run()).toMatchObject({ code: 1, error: 'A file or --id is needed (portico import --help)\n' });
  const refused = await portico(['import', file], { PORTICO_URL: api.url, PORTICO_TOKEN: 'portico_x' });
  expect(refused).toMatchObject({ code: 1, out: '', error: expect.stringMatching(/^401 /) });
});
