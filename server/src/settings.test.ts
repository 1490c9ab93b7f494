import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { anyAddress } from '#lib/plain-address.ts';
import { describeSettings, readSettings, type Settings, SettingsError, settingsHelp } from './settings.ts';
import { secretKey } from './settings-secret.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'portico-settings-'));
afterAll(() => rmSync(folder, { recursive: true }));

function read(environment: Record<string, string> = {}, ...args: string[]): Settings {
  const settings = readSettings({ environment, args, folder });
  if (settings === 'help') throw new Error('help');
  return settings;
}

test('has the documented defaults', () => {
  expect(read()).toMatchObject({
    NODE_ENV: 'development',
    PORT: 8080,
    CAPTIVE_PORT: 8081,
    PUBLIC_URL: 'http://localhost:8080',
    CAPTIVE_URL: 'http://localhost:8081',
    RADIUS_AUTH_PORT: 1812,
    RADIUS_ACCT_PORT: 1813,
    SYSLOG_PORT: 5514,
    DATA_DIR: path.resolve('data'),
    PASSWORD_MIN: 6,
    DEMO: true,
    TRIAL_DAYS: 15,
    LOG_RETENTION_DAYS: 730,
    SERVICES: ['api', 'captive', 'radius', 'syslog', 'jobs'],
  });
  expect(read({ NODE_ENV: 'production' })).toMatchObject({ DEMO: false, LOG_LEVEL: 'info' });
  expect(read({ PORT: '' }).PORT).toBe(8080);
});

test('derives the URLs from the ports and accepts {tenant} in them', () => {
  expect(read({ PORT: '9000' }).PUBLIC_URL).toBe('http://localhost:9000');
  const urls = (HOST: string) => [read({ HOST }).PUBLIC_URL, read({ HOST, CAPTIVE_PORT: '9001' }).CAPTIVE_URL];
  expect(urls('192.0.2.1')).toEqual(['http://192.0.2.1:8080', 'http://192.0.2.1:9001']);
  expect(urls('2001:db8::1')).toEqual(['http://[2001:db8::1]:8080', 'http://[2001:db8::1]:9001']);
  for (const host of ['0.0.0.0', '::', '127.0.0.1', '::1', 'localhost'])
    expect(urls(host), host).toEqual(['http://localhost:8080', 'http://localhost:9001']);
  expect(read({ CAPTIVE_URL: 'https://{tenant}.wifi.example/' }).CAPTIVE_URL).toBe('https://{tenant}.wifi.example');
});

test('reads .env; the environment takes precedence', () => {
  writeFileSync(path.join(folder, '.env'), 'PORT=9001\nTRIAL_DAYS="30"\n# a comment\n');
  expect(read()).toMatchObject({ PORT: 9001, TRIAL_DAYS: 30 });
  expect(read({ PORT: '9002' })).toMatchObject({ PORT: 9002, TRIAL_DAYS: 30 });
  rmSync(path.join(folder, '.env'));
});

test('refuses the demo where .env says production, as npm start sets no mode of its own', () => {
  writeFileSync(path.join(folder, '.env'), 'NODE_ENV=production\n');
  expect(() => read({ DEMO: '1' })).toThrow(new SettingsError('DEMO must be 0 in production'));
  expect(read()).toMatchObject({ NODE_ENV: 'production', DEMO: false });
  rmSync(path.join(folder, '.env'));
});

test('listens on this machine only while the demo runs, unless an address is set', () => {
  expect(read()).toMatchObject({ HOST: '127.0.0.1', UDP_HOST: '127.0.0.1' });
  expect(read({ DEMO: '0' })).toMatchObject({ HOST: anyAddress, UDP_HOST: anyAddress });
  expect(read({ HOST: '0.0.0.0', UDP_HOST: '192.0.2.1' })).toMatchObject({ HOST: '0.0.0.0', UDP_HOST: '192.0.2.1' });
});

describe('refuses bad values in one line with the setting and its expected value', () => {
  const cases: [Record<string, string>, string][] = [
    [{ PORT: 'eighty' }, 'PORT must be a whole number from 1 to 65535'],
    [{ PORT: '65536' }, 'PORT must be a whole number from 1 to 65535'],
    [{ HOST: 'every where' }, 'HOST must be an IP address of this machine, or localhost'],
    [{ DEMO: 'yes' }, 'DEMO must be 0 or 1'],
    [{ DEMO: '1', NODE_ENV: 'production' }, 'DEMO must be 0 in production'],
    [{ NODE_ENV: 'prod' }, 'NODE_ENV must be development, production or test'],
    [{ CAPTIVE_PORT: '8080' }, 'CAPTIVE_PORT must differ from PORT'],
    [{ CAPTIVE_URL: 'wifi.example' }, 'CAPTIVE_URL must be an origin such as https://wifi.example.com, without a path'],
    [
      { DATABASE_URL: 'mysql://x/y' },
      'DATABASE_URL must be a PostgreSQL address such as postgresql://user:password@host/database',
    ],
    [
      { DATABASE_DIRECT_URL: 'postgresql://localhost/portico' },
      'DATABASE_URL must be set together with DATABASE_DIRECT_URL',
    ],
    [{ SECRET_KEY: 'short' }, 'SECRET_KEY must be at least 32 characters'],
    [{ ADMIN_EMAIL: 'a@b.example' }, 'ADMIN_PASSWORD must be set together with ADMIN_EMAIL'],
    [{ ADMIN_EMAIL: 'a@b.example', ADMIN_PASSWORD: 'abc' }, 'ADMIN_PASSWORD must be at least 6 characters'],
    [{ SMTP_URL: 'mail.example' }, 'SMTP_URL must be a mail server such as smtps://user:password@host'],
    [{ MAIL_FROM: 'a\nb' }, 'MAIL_FROM must be an e-mail address, or a name with one: Portico <wifi@example.com>'],
    ...['proxy', '0.0.0.0/0', '10.0.0.1, ::/0'].map((TRUST_PROXY): [Record<string, string>, string] => [
      { TRUST_PROXY },
      'TRUST_PROXY must be addresses or networks, separated by commas, and not all addresses (/0)',
    ]),
    [{ PORT: 'x', DEMO: 'x' }, 'PORT must be a whole number from 1 to 65535; DEMO must be 0 or 1'],
  ];
  test.each(cases)('%j', (environment, message) => {
    expect(() => read(environment)).toThrow(new SettingsError(message));
  });
});

test('runs a subset of services only with a shared database', () => {
  const DATABASE_URL = 'postgresql://localhost/portico';
  expect(read({ DATABASE_URL }, '--services=api,captive').SERVICES).toEqual(['api', 'captive']);
  expect(read({ DATABASE_URL, SERVICES: 'radius' }).SERVICES).toEqual(['radius']);
  expect(() => read({}, '--services=api,captive')).toThrow(/^DATABASE_URL must be set to run only some services/);
  expect(read({}, '--services=jobs,syslog,radius,captive,api').SERVICES).toHaveLength(5);
  expect(() => read({ DATABASE_URL }, '--services=web')).toThrow(/^SERVICES must be some of api, captive/);
  expect(() => read({}, '--sevices=api')).toThrow(/^--sevices=api: options must be/);
});

test('does not print a bad value, which may be a secret', () => {
  expect(() => read({ ADMIN_EMAIL: 'a@b.example', ADMIN_PASSWORD: 'hunt2' })).toThrow(/^(?!.*hunt2)/);
});

test('lists every setting with its default and meaning', () => {
  expect(readSettings({ environment: {}, args: ['--help'], folder })).toBe('help');
  for (const { name, fallback, about } of describeSettings()) {
    expect(about, name).not.toBe('');
    expect(fallback, name).not.toBe('');
    expect(settingsHelp()).toContain(`  ${name} `);
  }
  expect(settingsHelp()).toMatch(/PORT +8080 +panel and API/);
});

test.each([
  // PGPASSWORD is read by the driver of PostgreSQL.
  ['compose.yaml', /^ {6}(?!POSTGRES_|PGPASSWORD:)([A-Z][A-Z0-9_]+):/gm],
  ['debian/portico.env', /^#?([A-Z][A-Z0-9_]+)=/gm],
])('%s names existing settings only', (file, name) => {
  const text = readFileSync(new URL(`../../deploy/${file}`, import.meta.url), 'utf8');
  const named = [...text.matchAll(name)].map(([, setting]) => setting!);
  expect(named).toContain('DATABASE_URL');
  const known = new Set(
    settingsHelp()
      .match(/^ +[A-Z][A-Z0-9_]+/gm)
      ?.map(it => it.trim()),
  );
  expect(named.filter(it => !known.has(it))).toEqual([]);
});

test('compose.yaml gives the password of the database apart from its address, so that it may have any sign', () => {
  const text = readFileSync(new URL('../../deploy/compose.yaml', import.meta.url), 'utf8');
  const { host, username, password } = new URL(/DATABASE_URL: (\S+)/.exec(text)![1]!);
  expect({ host, username, password }).toEqual({ host: 'database', username: 'portico', password: '' });
  expect(text).toMatch(/PGPASSWORD: \$\{DATABASE_PASSWORD/);
});

test('creates a secret key once, readable only by its owner', () => {
  const DATA_DIR = path.join(folder, 'data');
  const key = secretKey({ DATA_DIR });
  expect(key).toHaveLength(43);
  expect(secretKey({ DATA_DIR })).toBe(key);
  expect(statSync(path.join(DATA_DIR, 'secret.key')).mode & 0o777).toBe(0o600);
  expect(secretKey({ DATA_DIR, SECRET_KEY: 'given' })).toBe('given');
});
