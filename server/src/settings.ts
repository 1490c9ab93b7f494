import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs, parseEnv } from 'node:util';
import { z } from 'zod';
import { isCheckout } from '#lib/command-line.ts';
import { inUrl } from '#lib/own-address.ts';
import { anyAddress } from '#lib/plain-address.ts';
import {
  address,
  email,
  flag,
  headers,
  list,
  mailbox,
  postgresUrl,
  siteUrl,
  smtpUrl,
  text,
  webUrl,
  whole,
} from './settings-kinds.ts';

export const serviceNames = ['api', 'captive', 'radius', 'syslog', 'jobs'] as const;
export type ServiceName = (typeof serviceNames)[number];

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
const port = whole(1, 65_535);

/** All settings. `otherwise` describes, for --help, a default that depends on other settings. */
const schema = z.object({
  NODE_ENV: z
    .enum(['development', 'production', 'test'], 'must be development, production or test')
    .default('development')
    .meta({ about: 'production: no demo, no reply checks, JSON logs' }),
  HOST: address.optional().meta({
    about: 'address on which the panel, the API and the guest portal listen',
    otherwise: ':: (IPv4 and IPv6); 127.0.0.1 with DEMO',
  }),
  PORT: port.default(8080).meta({ about: 'panel and API' }),
  CAPTIVE_PORT: port.default(8081).meta({ about: 'guest portal and public QR menu; a separate origin' }),
  PUBLIC_URL: siteUrl.optional().meta({
    about: 'the panel in links and mails; {tenant} becomes its slug',
    otherwise: 'http://localhost:PORT, or the address of HOST',
  }),
  CAPTIVE_URL: siteUrl.optional().meta({
    about: 'the guest portal in links and scripts',
    otherwise: 'http://localhost:CAPTIVE_PORT, or the address of HOST',
  }),
  TRUST_PROXY: list(
    // A network of all addresses would let each caller choose its own, and stops the server with a stack trace.
    z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]).refine(it => !/\/0+$/.test(it)),
    'must be addresses or networks, separated by commas, and not all addresses (/0)',
  )
    .default([])
    .meta({ about: 'reverse proxies whose X-Forwarded headers are trusted: addresses or networks' }),
  UDP_HOST: address
    .optional()
    .meta({ about: 'address on which RADIUS and syslog listen', otherwise: ':: (IPv4 and IPv6); 127.0.0.1 with DEMO' }),
  RADIUS_AUTH_PORT: port.default(1812).meta({ about: 'RADIUS sign-in, UDP' }),
  RADIUS_ACCT_PORT: port.default(1813).meta({ about: 'RADIUS accounting, UDP' }),
  RADIUS_PACKETS_PER_SECOND: whole(10, 1_000_000)
    .default(3000)
    .meta({ about: 'maximum RADIUS packets per second from one address' }),
  RADSEC_PORT: whole(0, 65_535)
    .default(0)
    .meta({ about: 'RADIUS over TLS (RFC 6614), TCP: 2083 by custom; 0 is off', otherwise: '0: off' }),
  RADSEC_HOSTS: list(text.min(1).max(253), 'must be names or addresses, separated by commas').optional().meta({
    about: 'names and addresses by which devices reach it, for its certificate',
    otherwise: 'host of PUBLIC_URL',
  }),
  RADSEC_CONNECTIONS_PER_ADDRESS: whole(1, 5000)
    .default(100)
    .meta({ about: 'maximum RADIUS over TLS connections from one address, which many devices may share' }),
  RADSEC_TLS_CERT: text.optional().meta({
    about: 'file of its certificate (PEM, with the chain) for the host of PUBLIC_URL',
    otherwise: 'created by its own authority',
  }),
  RADSEC_TLS_KEY: text.optional().meta({ about: 'file of its private key (PEM)', otherwise: 'created' }),
  COA_PORT: port.default(3799).meta({ about: 'where routers listen for Disconnect and CoA, UDP' }),
  COA_TIMEOUT: whole(1, 30).default(5).meta({ about: 'seconds to wait for a router’s answer' }),
  SYSLOG_PORT: port.default(5514).meta({ about: 'routers’ logs, UDP and TCP' }),
  SYSLOG_TLS_PORT: port.optional().meta({ about: 'routers’ logs over TLS (RFC 5425)', otherwise: 'off' }),
  SYSLOG_TLS_CERT: text.optional().meta({
    about: 'file of its certificate (PEM, with the chain)',
    otherwise: 'created in DATA_DIR',
  }),
  SYSLOG_TLS_KEY: text.optional().meta({ about: 'file of its private key (PEM)', otherwise: 'created in DATA_DIR' }),
  SYSLOG_TLS_CA: text.optional().meta({
    about: 'file of the authority (PEM) of routers’ certificates, whose common name is the NAS identifier',
    otherwise: 'routers send no certificates',
  }),
  NETFLOW_PORT: port.optional().meta({ about: 'routers’ NetFlow v9 and IPFIX, UDP: bytes by site', otherwise: 'off' }),
  METRICS_HOST: address.default('127.0.0.1').meta({ about: 'address of /metrics; must not be public' }),
  METRICS_PORT: port.optional().meta({ about: 'Prometheus /metrics', otherwise: '8082: after PORT and CAPTIVE_PORT' }),
  DATA_DIR: text
    .default('./data')
    .transform(folder => path.resolve(folder))
    .meta({ about: 'embedded database, log files, outbox', otherwise: './data' }),
  DATABASE_URL: postgresUrl.optional().meta({ about: 'your own PostgreSQL, 15 or later', otherwise: 'embedded' }),
  DATABASE_DIRECT_URL: postgresUrl.optional().meta({
    about: 'the same database without a pooler, if DATABASE_URL is PgBouncer (1.21 or later) in transaction mode',
    otherwise: 'DATABASE_URL',
  }),
  DATABASE_READ_URL: postgresUrl.optional().meta({
    about: 'a standby of DATABASE_URL: lists, statistics, reports and exports read there',
    otherwise: 'none',
  }),
  DATABASE_CONNECTIONS: whole(3, 1000).optional().meta({
    about: 'maximum connections of this process to PostgreSQL; exports open up to 5 more',
    otherwise: '21; 9 with --services',
  }),
  READ_TIMEOUT: whole(1, 600).default(15).meta({ about: 'seconds after which a reading query is cancelled' }),
  DRAIN_SECONDS: whole(0, 300).optional().meta({
    about: 'seconds for which a stopping process still serves while /readyz answers 503',
    otherwise: '5 in production, else 0',
  }),
  STOP_SECONDS: whole(1, 300)
    .default(20)
    .meta({ about: 'maximum seconds that running requests and jobs then have to finish' }),
  SECRET_KEY: text
    .min(32, 'must be at least 32 characters')
    .optional()
    .meta({ about: 'key for encrypted data and signed links', otherwise: 'created in DATA_DIR' }),
  SECRET_KEY_PREVIOUS: text
    .min(16, 'must be at least 16 characters')
    .optional()
    .meta({ about: 'the previous key, until portico secret rotate has finished', otherwise: 'none' }),
  ADMIN_EMAIL: email
    .optional()
    .meta({ about: 'first administrator of the tenant panel', otherwise: 'created at first start' }),
  ADMIN_PASSWORD: text.optional().meta({ about: 'its password', otherwise: 'printed at first start' }),
  PICTURES_MB: whole(10, 1_000_000)
    .default(1000)
    .meta({ about: 'megabytes for the pictures of a tenant, plus 5 per location; a location may use a tenth' }),
  REGISTRATION: z
    .enum(['open', 'invitation'], 'must be open or invitation')
    .default('open')
    .meta({ about: 'who may create an account: everyone, or invited people only; tenants may be stricter' }),
  INVITATIONS_PER_DAY: whole(1, 1_000_000).default(1000).meta({ about: 'invitations that a tenant may send a day' }),
  MAILS_PER_DAY: whole(1, 10_000_000)
    .default(5000)
    .meta({ about: 'e-mails that a tenant may send a day; mails about the security of an account are always sent' }),
  SMS_PER_DAY: whole(1, 10_000_000).default(10_000).meta({ about: 'text messages that a tenant may send a day' }),
  SESSION_IDLE_MINUTES: whole(5, 43_200)
    .default(43_200)
    .meta({ about: 'minutes without a request after which a sign-in to the panel ends' }),
  DNS_SERVERS: list(z.string().regex(/^[\d.:a-fA-F[\]]+$/), 'must be addresses of DNS servers, separated by commas')
    .optional()
    .meta({ about: 'DNS servers that prove whether a tenant controls a domain', otherwise: 'the system’s' }),
  PASSWORD_MIN: whole(6, 128).default(6).meta({ about: 'shortest password allowed' }),
  RATE_LIMIT: whole(10, 10_000_000)
    .default(6000)
    .meta({ about: 'maximum requests per minute from one address, panel and API' }),
  TOKEN_RATE_LIMIT: whole(10, 1_000_000)
    .default(600)
    .meta({ about: 'maximum calls per minute of one personal access token' }),
  DEMO: flag.optional().meta({ about: 'living sample data in the tenant panel', otherwise: '1 in development' }),
  SERVICES: list(z.enum(serviceNames), `must be some of ${serviceNames.join(', ')}, separated by commas`)
    .default([...serviceNames])
    .meta({ about: 'what this process runs (also --services=…)', otherwise: 'all of api,captive,radius,syslog,jobs' }),
  LOG_LEVEL: z
    .enum(levels, `must be one of ${levels.join(', ')}`)
    .optional()
    .meta({ about: levels.join(', '), otherwise: 'info in production, else warn' }),
  SMTP_URL: smtpUrl
    .optional()
    .meta({ about: 'smtp:// or smtps:// server for mails', otherwise: 'written to DATA_DIR/outbox' }),
  MAIL_FROM: mailbox.default('Portico <no-reply@localhost>').meta({ about: 'sender of mails' }),
  SMS_URL: webUrl.optional().meta({
    about: 'an SMS operator’s address; {to}, {number}, {text} and {id} are filled in, here and in SMS_BODY',
    otherwise: 'written to DATA_DIR/outbox',
  }),
  SMS_METHOD: z.enum(['GET', 'POST'], 'must be GET or POST').default('POST').meta({ about: 'HTTP method for SMS_URL' }),
  SMS_HEADERS: headers.default({}).meta({ about: 'headers for SMS_URL, as JSON: {"name": "value"}', otherwise: '{}' }),
  SMS_BODY: text
    .default('{"to":"{to}","text":"{text}"}')
    .meta({ about: 'body for SMS_URL; its content type is in SMS_HEADERS, else JSON' }),
  SMS_PREFIXES: list(z.string().regex(/^\+\d{1,8}$/), 'must be prefixes of numbers such as +90, separated by commas')
    .default([])
    .meta({ about: 'prefixes of the numbers that get codes', otherwise: 'all' }),
  NVI_URL: webUrl.optional().meta({ about: 'national identity verification service', otherwise: 'off' }),
  INTEGRATIONS_INSIDE: flag
    .optional()
    .meta({ about: 'integrations may reach private and local addresses', otherwise: '1 in development' }),
  TEST_PAYMENTS: flag.optional().meta({
    about: 'the test provider, whose payments need no money, may be connected',
    otherwise: '1 unless in production',
  }),
  ROUTERS_INSIDE: flag
    .optional()
    .meta({ about: 'commands are sent to routers at private and local addresses too', otherwise: '1 in development' }),
  TRIAL_DAYS: whole(0, 3650).default(15).meta({ about: 'trial of a new location or device, in days' }),
  LOG_RETENTION_DAYS: whole(1, 36_500).default(730).meta({ about: 'how long legal log files and sessions are kept' }),
  VISITOR_RETENTION_DAYS: whole(1, 36_500)
    .default(730)
    .meta({ about: 'days after the last visit, end or change until the personal data of a visitor is erased' }),
  FAILED_LOGIN_RETENTION_DAYS: whole(1, 36_500)
    .default(90)
    .meta({ about: 'days until the input of failed sign-ins is erased' }),
  LOG_STORE_URL: webUrl.optional().meta({
    about: 'S3-compatible store for sealed log files: https://host/bucket, with or without a prefix',
    otherwise: 'files stay in DATA_DIR',
  }),
  LOG_STORE_KEY: text.optional().meta({ about: 'its access key', otherwise: 'none' }),
  LOG_STORE_SECRET: text.optional().meta({ about: 'its secret key', otherwise: 'none' }),
  LOG_STORE_REGION: text.default('us-east-1').meta({ about: 'its region' }),
  LOG_DATABASE_URL: webUrl.optional().meta({
    about: 'ClickHouse for the counts of log lines and for old sessions: https://user:password@host:8443/database',
    otherwise: 'both stay in PostgreSQL',
  }),
  SESSION_ARCHIVE_MONTHS: whole(0, 1200).default(0).meta({
    about: 'full months of sessions that stay in PostgreSQL, at least 3; older ones move to LOG_DATABASE_URL; 0 is off',
    otherwise: '0: off',
  }),
  BACKUP_TO: text
    .regex(
      /^(\/.*|s3:\/\/[a-z0-9][a-z0-9.-]+(\/[\w.-]+)*\/?)$/,
      'must be a folder such as /backups, or s3://bucket/prefix',
    )
    .optional()
    .meta({ about: 'where the jobs make backups: a folder, or s3://bucket/prefix', otherwise: 'none are made' }),
  BACKUP_AT: list(z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/), 'must be times such as 02:00, separated by commas')
    .default(['02:00'])
    .meta({ about: 'when, each day, in UTC: one or several times', otherwise: '02:00' }),
  BACKUP_KEEP: whole(1, 99_999).default(14).meta({ about: 'how many backups are kept there' }),
  BACKUP_PASSPHRASE: text
    .min(12, 'must be at least 12 characters')
    .optional()
    .meta({ about: 'encrypts backups; keep it elsewhere too', otherwise: 'they are not encrypted' }),
  BACKUP_PASSPHRASE_FILE: text.optional().meta({ about: 'a file with it instead', otherwise: 'none' }),
  BACKUP_S3_ENDPOINT: webUrl.optional().meta({
    about: 'the S3-compatible store of s3://…: https://host',
    otherwise: 'Amazon S3 in the region',
  }),
  BACKUP_S3_KEY: text.optional().meta({ about: 'its access key', otherwise: 'none' }),
  BACKUP_S3_SECRET: text.optional().meta({ about: 'its secret key', otherwise: 'none' }),
  BACKUP_S3_REGION: text.default('us-east-1').meta({ about: 'its region' }),
  TSA_URL: webUrl.optional().meta({ about: 'RFC 3161 time-stamp authority for sealed log files', otherwise: 'off' }),
});

/** The host of the URLs where none is set: a server that listens on one address only does not answer at localhost. */
const hostOf = (listens = anyAddress): string =>
  /^(0\.0\.0\.0|::|::1|127\.0\.0\.1)$/.test(listens) ? 'localhost' : inUrl(listens);

const settings = schema
  .transform(read => ({ ...read, DEMO: read.DEMO ?? read.NODE_ENV === 'development' }))
  .transform(read => ({
    ...read,
    // Ten processes of some services fit into the 100 connections that PostgreSQL has by default.
    DATABASE_CONNECTIONS: read.DATABASE_CONNECTIONS ?? (new Set(read.SERVICES).size < serviceNames.length ? 9 : 21),
    DRAIN_SECONDS: read.DRAIN_SECONDS ?? (read.NODE_ENV === 'production' ? 5 : 0),
    // The demo's password is public, so the demo serves this machine only unless an address is set.
    HOST: read.HOST ?? (read.DEMO ? '127.0.0.1' : anyAddress),
    UDP_HOST: read.UDP_HOST ?? (read.DEMO ? '127.0.0.1' : anyAddress),
    PUBLIC_URL: read.PUBLIC_URL ?? `http://${hostOf(read.HOST)}:${read.PORT}`,
    CAPTIVE_URL: read.CAPTIVE_URL ?? `http://${hostOf(read.HOST)}:${read.CAPTIVE_PORT}`,
    METRICS_PORT: read.METRICS_PORT ?? Math.max(read.PORT, read.CAPTIVE_PORT) + 1,
    INTEGRATIONS_INSIDE: read.INTEGRATIONS_INSIDE ?? read.NODE_ENV === 'development',
    TEST_PAYMENTS: read.TEST_PAYMENTS ?? read.NODE_ENV !== 'production',
    ROUTERS_INSIDE: read.ROUTERS_INSIDE ?? read.NODE_ENV === 'development',
    LOG_LEVEL: read.LOG_LEVEL ?? (read.NODE_ENV === 'production' ? 'info' : 'warn'),
  }))
  .superRefine((read, context) => {
    const refuse = (name: string, must: string) => context.addIssue({ code: 'custom', path: [name], message: must });
    const same = (a: keyof typeof read, b: keyof typeof read) =>
      read[a] === read[b] && refuse(a, `must differ from ${b}`);
    const needs = (a: keyof typeof read, b: keyof typeof read) =>
      read[a] && !read[b] && refuse(b, `must be set together with ${a}`);
    same('CAPTIVE_PORT', 'PORT');
    same('METRICS_PORT', 'PORT');
    same('METRICS_PORT', 'CAPTIVE_PORT');
    same('RADIUS_ACCT_PORT', 'RADIUS_AUTH_PORT');
    same('SYSLOG_TLS_PORT', 'SYSLOG_PORT');
    for (const other of ['SYSLOG_PORT', 'RADIUS_AUTH_PORT', 'RADIUS_ACCT_PORT'] as const) same('NETFLOW_PORT', other);
    if (read.LOG_STORE_URL && !/^https?:\/\/[^/]+\/[^/?#]+[^?#]*$/.test(read.LOG_STORE_URL))
      refuse('LOG_STORE_URL', 'must name a bucket: https://host/bucket');
    if (read.LOG_DATABASE_URL && !/^https?:\/\/[^/]+\/\w+$/.test(read.LOG_DATABASE_URL))
      refuse('LOG_DATABASE_URL', 'must name a database: https://user:password@host:8443/database');
    // Routers may report a session for 62 days.
    if (read.SESSION_ARCHIVE_MONTHS === 1 || read.SESSION_ARCHIVE_MONTHS === 2)
      refuse('SESSION_ARCHIVE_MONTHS', 'must be 0 or at least 3');
    needs('SESSION_ARCHIVE_MONTHS', 'LOG_DATABASE_URL');
    needs('DATABASE_DIRECT_URL', 'DATABASE_URL');
    needs('DATABASE_READ_URL', 'DATABASE_URL');
    needs('LOG_STORE_URL', 'LOG_STORE_KEY');
    needs('LOG_STORE_URL', 'LOG_STORE_SECRET');
    if (read.BACKUP_TO?.startsWith('s3:'))
      for (const name of ['BACKUP_S3_KEY', 'BACKUP_S3_SECRET'] as const) needs('BACKUP_TO', name);
    if (read.BACKUP_PASSPHRASE && read.BACKUP_PASSPHRASE_FILE)
      refuse('BACKUP_PASSPHRASE_FILE', 'must not be set together with BACKUP_PASSPHRASE');
    needs('SYSLOG_TLS_CERT', 'SYSLOG_TLS_KEY');
    needs('SYSLOG_TLS_KEY', 'SYSLOG_TLS_CERT');
    needs('RADSEC_TLS_CERT', 'RADSEC_TLS_KEY');
    needs('RADSEC_TLS_KEY', 'RADSEC_TLS_CERT');
    for (const other of ['PORT', 'CAPTIVE_PORT', 'METRICS_PORT', 'SYSLOG_PORT', 'SYSLOG_TLS_PORT'] as const)
      if (read.RADSEC_PORT) same('RADSEC_PORT', other);
    if (read.CAPTIVE_PORT !== read.PORT) same('CAPTIVE_URL', 'PUBLIC_URL');
    needs('ADMIN_PASSWORD', 'ADMIN_EMAIL');
    needs('ADMIN_EMAIL', 'ADMIN_PASSWORD');
    if (read.ADMIN_PASSWORD && read.ADMIN_PASSWORD.length < read.PASSWORD_MIN) {
      refuse('ADMIN_PASSWORD', `must be at least ${read.PASSWORD_MIN} characters`);
    }
    if (read.DEMO && read.NODE_ENV === 'production') refuse('DEMO', 'must be 0 in production');
    // The other services would run in other processes, but an embedded database serves one process.
    if (new Set(read.SERVICES).size < serviceNames.length && !read.DATABASE_URL) {
      refuse('DATABASE_URL', 'must be set to run only some services: an embedded database serves one process');
    }
  });

/** The settings of the process, named like the environment variables so that one search finds both. */
export type Settings = Readonly<z.output<typeof settings>>;

/** One line for the operator with the setting's name and its expected value. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

export interface SettingsSource {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Command-line arguments without program and script. */
  readonly args?: readonly string[];
  /** The folder of `.env`; the environment takes precedence over it. */
  readonly folder?: string;
}

/** Reads and validates the settings; throws a SettingsError. Returns 'help' for --help. */
export function readSettings({ environment, args = [], folder }: SettingsSource): Settings | 'help' {
  const options = readArguments(args);
  if (options.help) return 'help';
  const given = { ...readEnvFile(folder), ...present(environment), ...present({ SERVICES: options.services }) };
  const { success, data, error } = settings.safeParse(given);
  if (success) return data;
  const complaints = error.issues.map(issue => `${issue.path[0]?.toString()} ${issue.message}`);
  throw new SettingsError([...new Set(complaints)].join('; '));
}

function readArguments(args: readonly string[]): { help?: boolean | undefined; services?: string | undefined } {
  try {
    return parseArgs({ args: [...args], options: { help: { type: 'boolean' }, services: { type: 'string' } } }).values;
  } catch {
    throw new SettingsError(`${args.join(' ')}: options must be --help or --services=…; everything else is a setting`);
  }
}

function readEnvFile(folder = '.'): Record<string, string> {
  const file = path.join(folder, '.env');
  return existsSync(file) ? present(parseEnv(readFileSync(file, 'utf8'))) : {};
}

/** Treats an empty variable as absent, because compose files and CI pass empty ones. */
function present(values: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => Boolean(entry[1])));
}

/** Name, default and meaning of every setting, for --help and the documentation. */
export function describeSettings(): { name: string; fallback: string; about: string }[] {
  return Object.entries(schema.shape).map(([name, kind]) => {
    const { about, otherwise } = kind.meta() as { about: string; otherwise?: string };
    const fallback = otherwise ?? String(kind.safeParse(undefined).data ?? '');
    return { name, fallback: fallback || 'none', about };
  });
}

/** The page that --help prints. */
export function settingsHelp(): string {
  const rows = describeSettings();
  const width = (key: 'name' | 'fallback') => Math.max(...rows.map(row => row[key].length)) + 2;
  const [first, second] = [width('name'), width('fallback')];
  const lines = rows.map(row => `  ${row.name.padEnd(first)}${row.fallback.padEnd(second)}${row.about}`);
  return [
    ...(isCheckout ? ['npm start [-- --services=api,captive,radius,syslog,jobs] [-- --help]', ''] : []),
    'Settings: environment variables, or the same names in .env (with the package: /etc/portico.env)',
    ...lines,
  ].join('\n');
}
