import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApi, type TestApi } from '#test/harness.ts';
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
const login = (email: string, password: string, tenant: string) =>
  api.post('user/login', { tenant, body: { email, password } });

// Each command is a process that loads the whole program.
const slow = { timeout: 120_000 };

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
