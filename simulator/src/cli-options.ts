import { createSocket } from 'node:dgram';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readFromPanel } from './panel-source.ts';
import { signInByPortal, signInDirectly } from './sign-in.ts';
import type { VenueOptions } from './venue.ts';

export const help = `A simulated venue: routers with a hotspot, and guests who arrive, browse, roam and leave, over real RADIUS and syslog.

  npm run simulate -- --guests 200 [options]

Where its routers and visitors come from, one of
  --config FILE            JSON, - for standard input (see simulator/README.md)
  --device NAS_ID:SECRET   a router, and --visitor NAME:PASSWORD an account; both may be repeated
  --panel URL              all MikroTik devices and visitors that a user of the panel may update; the default, with
                           http://localhost:8080. The user: --email or ADMIN_EMAIL, password in ADMIN_PASSWORD
  --tenant SLUG            the tenant, where the panel's host name does not say it

The venue
  --guests N               guests at most (200)
  --time-scale N           how much faster than ours its time runs (1)
  --sign-in radius|portal  at the router itself, or with a browser through the guest portal (radius)
  --stay SECONDS           mean length of a visit (2400), --away SECONDS mean time between two (1800)
  --roam P, --mistype P    chances from 0 to 1 (0.02, 0.05)
  --seed N                 the same number gives the same guests (1)
  --coa ack|nak|silent     what routers do when asked to end a session (ack)
  --duration SECONDS       stop by itself, in our seconds

The ports, for --config and --device where they do not say it
  --radius HOST            (127.0.0.1; with --panel, that of the panel)   --auth-port N (1812)   --acct-port N (1813)
  --captive-url URL        (http://localhost:8081)
  --syslog HOST:PORT       (127.0.0.1:5514)   --no-syslog

  --own-addresses          each router has its own local address (127.9.x.y or the next free block) and takes CoA there, at
  --coa-port N             (3799) (Linux)
  --quiet                  no line every ten seconds
`;

const definition = {
  config: { type: 'string' },
  device: { type: 'string', multiple: true },
  visitor: { type: 'string', multiple: true },
  panel: { type: 'string' },
  email: { type: 'string' },
  tenant: { type: 'string' },
  guests: { type: 'string', default: '200' },
  'time-scale': { type: 'string', default: '1' },
  'sign-in': { type: 'string', default: 'radius' },
  stay: { type: 'string', default: '2400' },
  away: { type: 'string', default: '1800' },
  roam: { type: 'string', default: '0.02' },
  mistype: { type: 'string', default: '0.05' },
  seed: { type: 'string', default: '1' },
  coa: { type: 'string', default: 'ack' },
  duration: { type: 'string' },
  radius: { type: 'string' },
  'auth-port': { type: 'string', default: '1812' },
  'acct-port': { type: 'string', default: '1813' },
  'captive-url': { type: 'string', default: 'http://localhost:8081' },
  syslog: { type: 'string', default: '127.0.0.1:5514' },
  'no-syslog': { type: 'boolean', default: false },
  'own-addresses': { type: 'boolean', default: false },
  'coa-port': { type: 'string', default: '3799' },
  quiet: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

export interface CliOptions {
  readonly venue: VenueOptions;
  readonly coa: 'ack' | 'nak' | 'silent';
  readonly durationSeconds: number | undefined;
  readonly quiet: boolean;
}

/** A wrong command line; shown as one line. */
export class UsageError extends Error {}

interface ConfigFile {
  readonly radius?: { readonly host?: string; readonly auth_port?: number; readonly acct_port?: number };
  readonly captive_url?: string;
  readonly syslog?: { readonly host: string; readonly port: number } | null;
  readonly routers: readonly {
    readonly nas_identifier: string;
    readonly secret: string;
    readonly location?: string;
    readonly address?: string;
    readonly coa_port?: number;
    readonly http_port?: number;
    readonly network?: string;
  }[];
  readonly visitors: VenueOptions['visitors'];
}

const number = (name: string, text: string, least: number, most = Number.MAX_SAFE_INTEGER): number => {
  const value = Number(text);
  if (text.trim() === '' || !(value >= least && value <= most))
    throw new UsageError(
      `--${name} must be a number from ${least}${most < Number.MAX_SAFE_INTEGER ? ` to ${most}` : ''}`,
    );
  return value;
};

const choice = <const T extends string>(name: string, text: string, allowed: readonly T[]): T => {
  const found = allowed.find(one => one === text);
  if (!found) throw new UsageError(`--${name} must be one of ${allowed.join(', ')}`);
  return found;
};

const split = (name: string, text: string): [string, string] => {
  const at = text.indexOf(':');
  if (at < 1 || at === text.length - 1)
    throw new UsageError(`--${name} must hold a colon: ${text.slice(0, at + 1) || 'name'}…`);
  return [text.slice(0, at), text.slice(at + 1)];
};

const parse = (argv: readonly string[]) => {
  try {
    return parseArgs({ args: [...argv], options: definition }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
};
type Values = ReturnType<typeof parse>;

const readConfig = (file: string): ConfigFile => {
  try {
    const config = JSON.parse(readFileSync(file === '-' ? 0 : file, 'utf8')) as Partial<ConfigFile>;
    if (!Array.isArray(config.routers) || !Array.isArray(config.visitors))
      throw new Error('routers and visitors must be lists');
    return config as ConfigFile;
  } catch (error) {
    throw new UsageError(`--config: ${(error as Error).message}`);
  }
};

const source = async (values: Values): Promise<Pick<VenueOptions, 'routers' | 'visitors'>> => {
  const devices = values.device ?? [];
  if (values.config || devices.length > 0) {
    const config: ConfigFile = values.config
      ? readConfig(values.config)
      : {
          routers: devices
            .map(text => split('device', text))
            .map(([nas_identifier, secret]) => ({ nas_identifier, secret })),
          visitors: (values.visitor ?? [])
            .map(text => split('visitor', text))
            .map(([username, password]) => ({ username, password })),
        };
    return fromConfig(config, values);
  }
  const email = values.email ?? process.env.ADMIN_EMAIL;
  const password = process.env.ADMIN_PASSWORD;
  if (!email || !password)
    throw new UsageError(
      'say where routers come from: --config, --device, or --email and ADMIN_PASSWORD for the panel (--help)',
    );
  const url = values.panel ?? 'http://localhost:8080';
  const maxVisitors = Number(values.guests);
  const read = await readFromPanel({ url, email, password, tenant: values.tenant, maxVisitors }).catch(error => {
    const { cause, message } = error as Error;
    throw new UsageError(`--panel ${url}: ${cause instanceof Error ? cause.message : message}`);
  });
  const at = (router: VenueOptions['routers'][number]) =>
    values.radius === undefined ? router.radius : { ...router.radius, host: values.radius };
  return { ...read, routers: read.routers.map(it => ({ ...it, radius: at(it), syslog: syslogOf(values) })) };
};

const syslogOf = (values: Values) => {
  if (values['no-syslog']) return undefined;
  const [host, port] = split('syslog', values.syslog);
  return { host, port: number('syslog', port, 1, 65_535) };
};

const fromConfig = (config: ConfigFile, values: Values): Pick<VenueOptions, 'routers' | 'visitors'> => ({
  visitors: config.visitors,
  routers: config.routers.map(router => ({
    nasIdentifier: router.nas_identifier,
    secret: router.secret,
    location: router.location,
    address: router.address,
    coaPort: router.coa_port,
    httpPort: router.http_port,
    network: router.network,
    captiveUrl: config.captive_url ?? values['captive-url'],
    syslog: config.syslog === null ? undefined : (config.syslog ?? syslogOf(values)),
    radius: {
      host: config.radius?.host ?? values.radius ?? '127.0.0.1',
      authPort: config.radius?.auth_port ?? number('auth-port', values['auth-port'], 1, 65_535),
      acctPort: config.radius?.acct_port ?? number('acct-port', values['acct-port'], 1, 65_535),
    },
  })),
});

/** The first block 127.N.0.0 whose CoA port is free, because several venues may run on one machine. */
const freeBlock = async (coaPort: number): Promise<number> => {
  for (let block = 9; block < 250; block++) {
    const socket = createSocket('udp4');
    const free = await new Promise<boolean>(resolve => {
      socket.once('error', () => resolve(false));
      socket.bind(coaPort, `127.${block}.0.1`, () => resolve(true));
    });
    socket.close();
    if (free) return block;
  }
  throw new UsageError('every address from 127.9.0.1 to 127.249.0.1 is taken');
};

const ownPlace = (block: number, i: number, coaPort: number) => ({
  address: `127.${block}.${Math.floor(i / 250)}.${(i % 250) + 1}`,
  coaPort,
});

/** Reads the command line; returns `help` for --help. Throws UsageError. */
export const readOptions = async (argv: readonly string[]): Promise<CliOptions | 'help'> => {
  const values = parse(argv);
  if (values.help) return 'help';
  const guests = number('guests', values.guests, 0, 1_000_000);
  const habits = {
    staySeconds: number('stay', values.stay, 1),
    awaySeconds: number('away', values.away, 1),
    roam: number('roam', values.roam, 0, 1),
    mistype: number('mistype', values.mistype, 0, 1),
  };
  const signIn =
    choice('sign-in', values['sign-in'], ['radius', 'portal']) === 'portal' ? signInByPortal : signInDirectly;
  const coa = choice('coa', values.coa, ['ack', 'nak', 'silent']);
  const timeScale = number('time-scale', values['time-scale'], 0.001, 100_000);
  const seed = number('seed', values.seed, 0);
  const durationSeconds = values.duration === undefined ? undefined : number('duration', values.duration, 0);
  const read = await source(values);
  if (read.routers.length === 0) throw new UsageError('there is no MikroTik device to play');
  const coaPort = number('coa-port', values['coa-port'], 1, 65_535);
  const block = values['own-addresses'] ? await freeBlock(coaPort) : undefined;
  const routers = read.routers.map((router, i) => ({
    ...(block !== undefined && ownPlace(block, i, coaPort)),
    ...withoutAbsent(router),
  }));
  return {
    venue: { ...read, routers, guests, timeScale, seed, habits, signIn },
    coa,
    durationSeconds,
    quiet: values.quiet,
  };
};

const withoutAbsent = <T extends object>(it: T): T =>
  Object.fromEntries(Object.entries(it).filter(([, value]) => value !== undefined)) as T;
