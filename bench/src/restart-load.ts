import { createSocket } from 'node:dgram';
import { setTimeout as sleep } from 'node:timers/promises';
import { acctStatusType, attribute, code } from '@portico/radius/attributes.ts';
import { openClient, type RadiusClient } from '@portico/radius/client.ts';
import { address, integer, text } from '@portico/radius/encode.ts';
import type { System } from './restart-system.ts';

/** Counts of requests that were sent and acknowledged. Everything acknowledged must be in the database at the end. */
export interface Load {
  readonly locations: Set<string>;
  readonly sessions: Set<string>;
  /** The numbers of the log lines that were sent. */
  readonly lines: number[];
  readonly failed: { requests: number; pages: number; packets: number };
  readonly answered: { requests: number; pages: number; packets: number };
  /** How many answers of each kind blame the product, where only the database is away: 5xx but 503. */
  readonly wrong: Map<string, number>;
  /** How many requests of each kind failed, and how. */
  readonly failures: Map<string, number>;
  /** When each kind of work last succeeded, by performance.now(). */
  readonly lastSuccess: { write: number; packet: number };
  readonly stop: () => Promise<void>;
}

const guest = { username: 'restarts', password: 'guest-password' };

/** Where panel and guests ask: the processes, one after another as a proxy does, or a real proxy in front of them. */
export interface Doors {
  readonly panel: readonly string[];
  readonly guests: readonly string[];
}

export const doorsOf = ({ servers }: System): Doors => {
  const of = (service: string, port: 'PORT' | 'CAPTIVE_PORT') =>
    servers.filter(it => it.service.split(',').includes(service)).map(it => `http://127.0.0.1:${it.ports[port]}`);
  return { panel: of('api', 'PORT'), guests: of('captive', 'CAPTIVE_PORT') };
};

async function call(
  system: System,
  path: string,
  body: unknown,
  key: string,
  doors: readonly string[] = doorsOf(system).panel,
): Promise<Response> {
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${system.token}`,
    'idempotency-key': key,
  };
  let last: Response | undefined;
  // A proxy would ask the other process if the first refuses the connection or is not ready.
  for (const door of doors) {
    const answer = await fetch(`${door}/v1/panel/${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    }).catch(() => undefined);
    if (answer?.ok) return answer;
    last = answer ?? last;
  }
  if (last) return last;
  throw new Error('no API answers');
}

async function makeVenue(system: System): Promise<{ nas: string; secret: string }> {
  const data = async (answer: Response) => ((await answer.json()) as { data: Record<string, string> }).data;
  const location_id = (await data(await call(system, 'location', { name: 'Venue' }, 'venue')))['id'];
  await call(system, 'client', { location_id, name: 'A', provider_type: 'username', ...guest }, 'guest');
  const client = await system.connect();
  const { rows } = await client.query<{ id: string }>(`select id from brands where slug = 'mikrotik'`);
  await client.end();
  const device = { location_id, brand_id: rows[0]!.id, name: 'Lobby', mac_address: '02:00:00:00:00:01' };
  const made = await data(await call(system, 'device', device, 'device'));
  // Lines of an address that is not proven yet would be quarantined.
  await call(system, `device/${made['id']}/log-sources`, { address: '127.0.0.1' }, 'log source');
  // The log processes read it within a tenth of a second.
  await sleep(1000);
  return { nas: made['nas_identifier']!, secret: made['secret']! };
}

/** Loads every service until it is stopped. `patience` is the routers'. */
export async function startLoad(
  system: System,
  patience: { timeoutMs: number; attempts: number },
  doors = doorsOf(system),
): Promise<Load> {
  const venue = await makeVenue(system);
  const load = {
    locations: new Set<string>(),
    sessions: new Set<string>(),
    lines: [] as number[],
    failed: { requests: 0, pages: 0, packets: 0 },
    answered: { requests: 0, pages: 0, packets: 0 },
    wrong: new Map<string, number>(),
    failures: new Map<string, number>(),
    lastSuccess: { write: 0, packet: 0 },
  };
  const note = (answer: Response | undefined, what: string) => {
    if (answer && answer.status >= 500 && answer.status !== 503) count(load.wrong, `${answer.status} ${what}`);
  };
  const fail = (kind: 'requests' | 'pages', answer: Response | undefined, what: string) => {
    load.failed[kind] += 1;
    count(
      load.failures,
      `${answer ? `${answer.status}${answer.status < 500 ? ', cut off' : ''}` : 'no answer'}, ${what}`,
    );
  };
  let over = false;
  const repeat = async (everyMs: number, work: (n: number) => Promise<void>) => {
    for (let n = 0; !over; n++) {
      await work(n);
      await sleep(everyMs);
    }
  };
  const secret = Buffer.from(venue.secret);
  const open = (port: number) => openClient({ host: '127.0.0.1', port, secret, ...patience, sockets: 1 });
  const radius = system.servers
    .filter(it => it.service.split(',').includes('radius'))
    .map(({ ports }) => ({ auth: open(ports.RADIUS_AUTH_PORT), acct: open(ports.RADIUS_ACCT_PORT) }));

  const writer = (who: number) =>
    repeat(20, async n => {
      const name = `restart ${who}-${n}`;
      const answer = await call(system, 'location', { name }, name, doors.panel).catch(() => undefined);
      note(answer, 'POST location');
      if (!answer?.ok) fail('requests', answer, 'POST location');
      else {
        load.answered.requests += 1;
        load.locations.add(name);
        load.lastSuccess.write = performance.now();
      }
    });
  /** Asks the next server when one does not answer, as a router with several RADIUS servers does. */
  const ask = async (clients: readonly RadiusClient[], request: Parameters<RadiusClient['send']>[0]) => {
    for (const client of clients) if (await client.send(request)) return true;
    return false;
  };
  const router = (who: number) => {
    const inOrder = [...radius.slice(who), ...radius.slice(0, who)];
    const [auth, acct] = [inOrder.map(it => it.auth), inOrder.map(it => it.acct)];
    return repeat(50, async n => {
      const id = `restart-${who}-${n}`;
      const mac = `02-0${who}-00-00-${hex(n >> 8)}-${hex(n)}`;
      const common = [
        text(attribute['NAS-Identifier'], venue.nas),
        text(attribute['Calling-Station-Id'], mac),
        text(attribute['User-Name'], guest.username),
      ];
      const accepted = await ask(auth, { code: code['Access-Request'], attributes: common, password: guest.password });
      if (accepted) {
        load.answered.packets += 1;
        load.lastSuccess.packet = performance.now();
      } else load.failed.packets += 1;
      const started = [
        ...common,
        integer(attribute['Acct-Status-Type'], acctStatusType.Start),
        text(attribute['Acct-Session-Id'], id),
        address(attribute['Framed-IP-Address'], `10.${who}.${(n >> 8) & 255}.${n & 255}`),
      ];
      if (await ask(acct, { code: code['Accounting-Request'], attributes: started })) {
        load.answered.packets += 1;
        load.sessions.add(id);
      } else load.failed.packets += 1;
    });
  };
  const askPage = async (path: string, init: RequestInit = {}) => {
    const what = `${init.method ?? 'GET'} page`;
    let page: Response | undefined;
    for (const door of doors.guests) {
      page = await fetch(`${door}${path}`, { redirect: 'manual', ...init }).catch(() => undefined);
      note(page, what);
      if (page && page.status < 500 && (await isWhole(page))) {
        load.answered.pages += 1;
        return;
      }
    }
    fail('pages', page, what);
  };
  const visitor = repeat(30, async n => {
    if (doors.guests.length === 0) return;
    const form = new URLSearchParams({ state: 'of a page that is no longer known', method: 'username' });
    // The guests' form has no key by which a proxy may repeat it.
    await (n % 3 === 0
      ? askPage(`/w/${venue.nas}/sign-in`, { method: 'POST', body: form })
      : askPage(`/w/${venue.nas}`));
  });
  const reader = repeat(20, async n => {
    const door = doors.panel[n % doors.panel.length]!;
    if (doors.panel.length > 1) return;
    const answer = await fetch(`${door}/v1/panel/location?limit=20`, {
      headers: { authorization: `Bearer ${system.token}` },
    }).catch(() => undefined);
    note(answer, 'GET list');
    if (answer?.ok && (await isWhole(answer))) load.answered.requests += 1;
    else fail('requests', answer, 'GET list');
  });
  const syslog = system.servers.filter(it => it.service.split(',').includes('syslog'));
  const socket = createSocket('udp4');
  const logger = repeat(20, async n => {
    // Like a load balancer of UDP: to a process whose readiness is good.
    for (const it of syslog) {
      if (!(await it.isReady())) continue;
      const line = `<134>${new Date().toISOString()} ${venue.nas} firewall,info restarts-line-${n}- forward`;
      await new Promise(resolve => socket.send(line, it.ports.SYSLOG_PORT, '127.0.0.1', resolve));
      load.lines.push(n);
      return;
    }
  });
  const work = [0, 1, 2, 3].map(writer).concat(
    radius.map((_, who) => router(who)),
    visitor,
    reader,
    logger,
  );
  return {
    ...load,
    stop: async () => {
      over = true;
      await Promise.all(work);
      socket.close();
      for (const { auth, acct } of radius) {
        auth.close();
        acct.close();
      }
    },
  };
}

const count = (kinds: Map<string, number>, kind: string): unknown => kinds.set(kind, (kinds.get(kind) ?? 0) + 1);

/** False if the process was killed in the middle of its answer. */
const isWhole = (answer: Response): Promise<boolean> =>
  answer.arrayBuffer().then(
    () => true,
    () => false,
  );

const hex = (n: number): string => (n & 255).toString(16).padStart(2, '0');
