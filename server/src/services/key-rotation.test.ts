import { spawn } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from '#db/migrate.ts';
import { createPool, type Pool } from '#db/pool.ts';
import { fillTables } from '#db/testing/old-rows.ts';
import { createSecrets } from '#lib/secrets.ts';
import { freshDatabase } from '#test/database.ts';
import { ofChildren } from '#test/process.ts';
import { readSettings, type Settings } from '../settings.ts';
import { encryptedColumns } from './key-rotation.queries.ts';
import { offlineSign, rotateKey } from './key-rotation.ts';
import { openApp } from './open-app.ts';
import { fingerprint, requireKeys, watchKey } from './secret-key.ts';

const source = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'portico-rotation-'));
const [first, second] = ['the first key of the installation', 'the second key of the installation'];
const [before, after] = [createSecrets(first), createSecrets(second)];
let pool: Pool;
let url: string;
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  ({ url } = await freshDatabase({ empty: true }));
  pool = createPool(url, { max: 3, onError: () => undefined });
  await migrate(pool, '0100-kept-search-text');
  await fillTables(pool);
  await migrate(pool);
  await fillTables(pool);
  for (const { table, column, member } of encryptedColumns) {
    const text = before.encrypt(`${table}.${column}`);
    const value = member ? `jsonb_set(${column}, '{${member}}', to_jsonb($1::text))` : '$1';
    const { rowCount } = await pool.query(`update ${table} set ${column} = ${value}`, [text]);
    expect(rowCount, table).toBeGreaterThan(0);
  }
  mkdirSync(path.join(folder, 'logs'));
});
afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
  await pool.end();
  rmSync(folder, { recursive: true });
});

const environment = () => ({ DATABASE_URL: url.replace('@/', '@localhost/'), DATA_DIR: folder, NODE_ENV: 'test' });
const withKeys = (SECRET_KEY: string, SECRET_KEY_PREVIOUS = '') => ({
  ...environment(),
  SECRET_KEY,
  SECRET_KEY_PREVIOUS,
});
const settingsWith = (key: string, previous?: string) =>
  readSettings({ environment: withKeys(key, previous), folder }) as Settings;
async function open(SECRET_KEY: string, previous = '') {
  const settings = settingsWith(SECRET_KEY, previous);
  const app = await openApp(settings, url);
  stops.push(app.stop);
  return app;
}

/** Every registered value, by its place. */
async function stored(): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const { table, column, member } of encryptedColumns) {
    const { rows } = await pool.query<{ text: string }>(
      `select ${member ? `${column}->>'${member}'` : column} as text from ${table} limit 1`,
    );
    found.set(`${table}.${member ?? column}`, rows[0]!.text);
  }
  return found;
}

/** The texts of all tables that a key opens, wherever they are. */
async function openedBy(key: typeof before): Promise<string[]> {
  const { rows: columns } = await pool.query<{ table: string; column: string }>(`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = 'public' and data_type in ('text', 'jsonb') and is_generated = 'NEVER'`);
  const opened: string[] = [];
  for (const { table, column } of columns) {
    const { rows } = await pool.query<{ text: string | null }>(`select "${column}"::text as text from "${table}"`);
    for (const { text } of rows)
      for (const word of text?.match(/[\w+/=]{38,}/g) ?? [])
        if (key.read(word) !== undefined) opened.push(`${table}.${column}`);
  }
  return opened;
}

/** Starts a rotation that waits for a row, and kills it there. */
async function killInTheMiddle(): Promise<void> {
  const client = await pool.connect();
  await client.query('begin; select from visitors for update');
  const child = spawn(process.execPath, [path.join(source, 'cli.ts'), 'secret', 'rotate'], {
    env: { ...ofChildren, ...withKeys(second, first) },
  });
  const waits = `select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
  await expect.poll(async () => (await pool.query(waits)).rows).toEqual([{ n: 1 }]);
  const exit = new Promise(resolve => child.once('exit', resolve));
  child.kill('SIGKILL');
  await exit;
  await client.query('rollback');
  client.release();
}

test('a rotation that was killed is continued, while a process runs with both keys', async () => {
  const old = await open(first);
  const lasting = [old.secrets.sign('a printed card'), old.secrets.index('a number').toString('hex')];
  const running = await open(second, first);
  // Processes that know only the first key still read what this one writes.
  expect(before.read(running.secrets.encrypt('x'))).toBe('x');
  // The rows of a frozen tenant would keep the old key.
  await pool.query(`update tenant_moves set direction = 'out', state = 'frozen'`);
  await expect(rotateKey(running, () => undefined)).rejects.toThrow(/^The tenant \S+ is being moved: /);
  await pool.query(`update tenant_moves set direction = 'in', state = 'arrived'`);

  await killInTheMiddle();
  const half = await stored();
  expect(after.read(half.get('devices.secret')!)).toBe('devices.secret');
  expect(before.read(half.get('visitors.password')!)).toBe('visitors.password');
  expect([...half.values()].filter(text => running.secrets.read(text) === undefined)).toEqual([]);
  await expect.poll(() => after.read(running.secrets.encrypt('x'))).toBe('x');
  await expect(requireKeys(old.db, settingsWith(first))).rejects.toThrow(/^SECRET_KEY is being rotated to the key /);
  const lacking: (string | undefined)[] = [];
  const watches = [
    watchKey(old.db, { key: first, previous: undefined }, it => lacking.push(it), 20),
    watchKey(running.db, { key: second, previous: first }, it => lacking.push(it ?? 'none'), 20),
  ];
  await expect.poll(() => new Set(lacking)).toEqual(new Set([fingerprint(second), 'none']));
  for (const end of watches) end();

  const lines: string[] = [];
  const late = await pool.connect();
  await late.query('begin');
  await late.query(
    `insert into idempotent_replies (tenant_id, user_id, key, request, reply) select tenant_id, id, 'late', '', $1 from users limit 1`,
    [before.encrypt('idempotent_replies.reply')],
  );
  let isCommitted = false;
  const rotate = () =>
    rotateKey(running, line => {
      lines.push(line);
      // The rotation waits for what is written with the old key until then. On a busy machine it waits more than once.
      if (!line.startsWith('Waiting') || isCommitted) return;
      isCommitted = true;
      void late.query('commit').then(() => late.release());
    });
  expect(await rotate()).toMatchObject({ fingerprint: fingerprint(second), changed: encryptedColumns.length - 3 + 1 });
  expect(lines).toContain('visitors.password  1');
  expect(lines.join()).not.toContain('devices');
  for (const [place, text] of await stored()) expect(after.read(text), place).toMatch(place.split('.')[0]!);
  expect(await openedBy(before)).toEqual([]);

  const { rows } = await pool.query('select key_fingerprint, rotating_to from installation');
  expect(rows).toEqual([{ key_fingerprint: fingerprint(second), rotating_to: null }]);
  const now = await open(second);
  for (const { secrets } of [now, running])
    expect([secrets.sign('a printed card'), secrets.index('a number').toString('hex')]).toEqual(lasting);
  expect(now.secrets.signBriefly('a link')).not.toBe(old.secrets.signBriefly('a link'));
  expect(offlineSign(now.settings)!('a printed card')).toBe(lasting[0]);

  expect(await rotate()).toMatchObject({ changed: 0 });
  await expect(rotateKey(now, () => undefined)).rejects.toThrow(/^There is no previous key: set SECRET_KEY_PREVIOUS/);
  await expect(requireKeys(old.db, settingsWith(first))).rejects.toThrow(/^SECRET_KEY is not the key of this database/);
});

test('every column that the schema calls encrypted is rotated', () => {
  const commented = globSync('db/schema/*.sql', { cwd: source }).flatMap(file => {
    let table = '';
    return readFileSync(path.join(source, file), 'utf8')
      .split('\n')
      .flatMap(line => {
        table = /^create table (\w+)/.exec(line)?.[1] ?? table;
        const column = /^ {2}(\w+) .*--.*\b(?:encrypted with SECRET_KEY|was encrypted still is)/.exec(line)?.[1];
        return column ? [`${table}.${column}`] : [];
      });
  });
  // It holds the keys of hashes, and is written at the end of a rotation.
  const others = commented.filter(place => place !== 'installation.hash_keys');
  const registered = new Set(encryptedColumns.map(it => `${it.table}.${it.column}`));
  expect([...registered].sort()).toEqual(others.sort());
});

/** Each file that encrypts, and where that is stored. */
const writers: Record<string, string> = {
  'features/auth/sso/attempts.ts': 'sso_attempts.attempt',
  'features/tenants/sso.service.ts': 'sso_providers.client_secret',
  'features/auth/two-factor.service.ts': 'users.totp_secret',
  'features/devices/certificates.radius.ts': 'radsec_authority.private_key',
  'features/devices/connection.service.ts': 'devices.connection',
  'features/devices/devices.service.ts': 'devices.secret',
  'features/devices/script-link.service.ts': 'script_links.script',
  'features/guests/buy/buy.service.ts': 'purchases.code',
  'features/guests/kept-page.ts': 'a cookie',
  'features/guests/online/unreported-grant.ts': 'a form of the guest',
  'features/guests/sign-in/methods/citizen-id.ts': 'visitors.citizen_id',
  'features/guests/sign-in/methods/sms.ts': 'sms_messages.data',
  'features/guests/sign-in/methods/username.ts': 'nowhere',
  'features/guests/social/social.service.ts': 'a cookie',
  'features/identity/identity.service.ts': 'signing_keys.private_key',
  'features/imports/imports.jobs.ts': 'visitors.password',
  'features/imports/upload.service.ts': 'visitor_import_rows.data',
  'features/integrations/hotel/stays.ts': 'hotel_stays.surname',
  'features/integrations/integrations.service.ts': 'integrations.connection',
  'features/integrations/pms/stays.ts': 'visitors.citizen_id',
  'features/notifications/push-keys.ts': 'push_keys.private_key',
  'features/notifications/push.service.ts': 'push_browsers.subscription',
  'features/packages/receipt.service.ts': 'sms_messages.data',
  'features/radius-proxies/radius-proxies.service.ts': 'radius_proxies.secret',
  'features/sessions/failed-logins.ts': 'failed_logins.params',
  'features/visitors/bulk.service.ts': 'visitors.password',
  'features/visitors/visitors.service.ts': 'visitors.password',
  'features/vouchers/vouchers.service.ts': 'vouchers.code',
  'http/idempotency.ts': 'idempotent_replies.reply',
  'lib/guest-password.ts': 'visitors.password',
  'mail/outbox.ts': 'outbox_mails.data',
  'services/move/move.ts': 'a file of the move',
  'services/move/values.ts': 'nowhere: another installation stores it',
  'services/backup.ts': 'a file of a backup',
};

test('every file that encrypts is known', () => {
  const encrypting = globSync('**/*.ts', { cwd: source }).filter(
    file =>
      !/\.test\.ts$|(^|\/)(test|testing)\/|^lib\/secrets\.ts$|^services\/(key-rotation|secret-key)/.test(file) &&
      /\.encrypt\(/.test(readFileSync(path.join(source, file), 'utf8')),
  );
  // Something new here: if it is stored, add its column to encryptedColumns too.
  expect(encrypting.sort()).toEqual(Object.keys(writers).sort());
  const registered = encryptedColumns.map(it => `${it.table}.${it.column}`);
  const stored = Object.values(writers).filter(place => place.includes('.'));
  expect(stored.filter(place => !registered.includes(place))).toEqual([]);
});
