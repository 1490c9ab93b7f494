// `npm run venues -- --venues=1000 --tenants=20 --rate=460 --seconds=60`: two RADIUS processes serve many venues, and what that
// costs. Each packet comes from another venue than the one before it, which is the worst case for notices and caches.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type pg from 'pg';
import { summary } from './measure.ts';
import { cpuOf } from './processes.ts';
import { signInTo } from './product.ts';
import { type Generator, startGenerator } from './radius-generator.ts';
import { makeGuests } from './radius-guests.ts';
import type { Outcome } from './radius-load.ts';
import { type Guest, reportsPerSession } from './radius-packets.ts';
import { account, type Server, type System, startSystem } from './restart-system.ts';

const say = (line: string): boolean => process.stdout.write(`${line}\n`);
const guestsPerVenue = 4;

const options = { venues: '1000', tenants: '20', rate: '460', seconds: '60' };
type Option = keyof typeof options;
const names = Object.keys(options) as Option[];
const { values } = parseArgs({ options: Object.fromEntries(names.map(name => [name, { type: 'string' as const }])) });
const chosen = Object.fromEntries(names.map(name => [name, Number(values[name] ?? options[name])])) as Record<
  Option,
  number
>;
const wrong = names.find(name => !(Number.isInteger(chosen[name]) && chosen[name] > 0));
if (wrong) throw new Error(`--${wrong} must be a whole number above 0`);

/** Tenants with their venues; the guests of each venue, neighbours of different venues. */
async function makeVenues(
  system: System,
  client: pg.Client,
): Promise<{ guests: Guest[]; tokens: Map<string, string> }> {
  const url = `http://127.0.0.1:${system.servers[0]!.ports.PORT}`;
  const tokens = new Map<string, string>();
  const made: Guest[][] = [];
  for (let t = 0; t < chosen.tenants; t++) {
    const tenant = `venues${t}`;
    await client.query(
      'insert into tenants (id, slug, brand_name, brand_long_name) values (gen_random_uuid(), $1, $1, $1)',
      [tenant],
    );
    const token = await signInTo(tenant, { client, url, account });
    tokens.set(tenant, token);
    const devices = Math.ceil(chosen.venues / chosen.tenants);
    const guests = await makeGuests({ url, signIn: async () => token }, tenant, {
      name: 'Venue',
      mac: `02:${(t + 16).toString(16)}`,
      devices,
      guestsPerDevice: guestsPerVenue,
      portals: false,
    });
    made.push(guests.map((guest, n) => ({ ...guest, mac: macOf(t * guests.length + n) })));
  }
  return { guests: made[0]!.flatMap((_, n) => made.map(ofTenant => ofTenant[n]!)), tokens };
}

const macOf = (n: number): string =>
  `3E:33:${n
    .toString(16)
    .padStart(8, '0')
    .toUpperCase()
    .replace(/(..)(?!$)/g, '$1:')}`;

/** Counts what every process hears from the database. */
async function countNotices(client: pg.Client): Promise<() => { notices: number; changes: number }> {
  const counted = { notices: 0, changes: 0 };
  client.on('notification', ({ payload }) => {
    counted.notices++;
    const told: unknown = JSON.parse(payload ?? 'null');
    counted.changes += Array.isArray(told) ? told.length : 1;
  });
  await client.query('listen portico');
  return () => ({ ...counted });
}

/** Opens a screen of each tenant, and counts what the server pushes to it. */
async function openScreens(system: System, tokens: ReadonlyMap<string, string>) {
  const closing = new AbortController();
  let pushed = 0;
  for (const [tenant, token] of tokens) {
    const response = await fetch(`http://127.0.0.1:${system.servers[0]!.ports.PORT}/v1/panel/events`, {
      headers: { authorization: `Bearer ${token}`, 'x-tenant': tenant },
      signal: closing.signal,
    });
    if (!response.ok) throw new Error(`events: ${response.status}`);
    const read = async () => {
      const text = new TextDecoder();
      for await (const chunk of response.body!) pushed += text.decode(chunk).split('data: ').length - 1;
    };
    // Ends with `close`.
    read().catch(() => undefined);
  }
  return { pushed: () => pushed, close: () => closing.abort() };
}

/** Resident memory in MB. */
const memoryOf = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;

interface Side {
  readonly server: Server;
  readonly generator: Generator;
  guests: readonly Guest[];
}

async function load(
  sides: readonly Side[],
  kind: 'auth' | 'acct',
  perSecond: number,
  seconds: number,
): Promise<Outcome[]> {
  const packets = Math.ceil((perSecond * seconds) / sides.length);
  return Promise.all(
    sides.map(async (side, n) => {
      const outcome = await side.generator.run({
        kind,
        port: side.server.ports[kind === 'auth' ? 'RADIUS_AUTH_PORT' : 'RADIUS_ACCT_PORT'],
        guests: side.guests,
        count: kind === 'auth' ? packets : Math.ceil(packets / reportsPerSession),
        outstanding: 4096,
        perSecond: perSecond / sides.length,
        run: `${kind}${n}-`,
      });
      if (outcome.rejected) throw new Error(`${outcome.rejected} sign-ins were refused`);
      side.guests = side.guests.map(guest => ({ ...guest, class: outcome.classes[guest.username] ?? guest.class }));
      return outcome;
    }),
  );
}

const system = await startSystem(['api,jobs', 'radius', 'radius']);
const client = await system.connect();
const sides: Side[] = [];
try {
  const { guests, tokens } = await makeVenues(system, client);
  say(
    `${chosen.venues} venues of ${chosen.tenants} tenants, ${chosen.rate} packets a second for ${chosen.seconds} s\n`,
  );
  const servers = system.servers.slice(1);
  for (const [n, server] of servers.entries()) {
    // A router keeps to its server.
    const own = new Set(
      guests.map(it => it.nas).filter((nas, i, all) => all.indexOf(nas) === i && i % servers.length === n),
    );
    sides.push({ server, generator: startGenerator(), guests: guests.filter(it => own.has(it.nas)) });
  }
  const screens = await openScreens(system, tokens);
  const noticesSoFar = await countNotices(client);
  const others = () => cpuOf(process.pid) + sides.reduce((sum, it) => sum + cpuOf(it.generator.pid), 0);
  const cpuSoFar = () => {
    const each = system.servers.map(it => cpuOf(it.pid()));
    return [...each, cpuOf(process.pid, true) - others() - each.reduce((sum, it) => sum + it, 0)];
  };
  // Each guest once, so that the processes know all of them, as after the first minutes.
  await load(sides, 'auth', chosen.rate, (guests.length + 1) / chosen.rate);
  say(
    '| work | packets/s | p50, p99 | unanswered | api, radius, radius, PostgreSQL: cores | notices/s | pushed/s | memory of the three, MB |',
  );
  say('| --- | --- | --- | --- | --- | --- | --- | --- |');
  for (const kind of ['auth', 'acct'] as const) {
    const before = { cpu: cpuSoFar(), notices: noticesSoFar(), pushed: screens.pushed(), at: performance.now() };
    const outcomes = await load(sides, kind, chosen.rate, chosen.seconds);
    const seconds = (performance.now() - before.at) / 1000;
    const after = { cpu: cpuSoFar(), notices: noticesSoFar() };
    const took = outcomes.flatMap(it => [...it.took]);
    const { p50, p99 } = summary(took, seconds);
    const cores = after.cpu.map((it, i) => ((it - before.cpu[i]!) / seconds).toFixed(2)).join(', ');
    say(
      `| ${kind === 'auth' ? 'sign-ins' : 'accounting'} | ${(took.length / seconds).toFixed(0)} | ${p50.toFixed(1)}, ${p99.toFixed(0)} ms | ${outcomes.reduce((sum, it) => sum + it.lost, 0)} | ${cores} | ${((after.notices.notices - before.notices.notices) / seconds).toFixed(1)} with ${((after.notices.changes - before.notices.changes) / seconds).toFixed(0)} changes | ${((screens.pushed() - before.pushed) / seconds).toFixed(1)} | ${system.servers.map(it => memoryOf(it.pid()).toFixed(0)).join(', ')} |`,
    );
    if (outcomes.some(it => it.lost > 0)) process.exitCode = 1;
  }
  screens.close();
} finally {
  for (const { generator } of sides) generator.stop();
  await client.end();
  await system.stop();
}
