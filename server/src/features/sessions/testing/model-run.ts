import sql, { join } from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';
import type { Actor } from '#http/actor.ts';
import type { App } from '#lib/app.ts';
import type { AccountingRecord, RadiusDevice } from '#radius/types.ts';
import { admit, closeStale } from '../sign-in.queries.ts';
import { type CoaRouter, startCoaRouter } from './coa-router.ts';
import { kick } from './kicks.ts';
import { add, keyOf, type Limits, Model, macOf, type Session, type Use, userOf } from './model.ts';
import { limits, makeScene } from './scene.ts';
import {
  type Batch,
  batchesOf,
  type Event,
  isPacket,
  type Packet,
  packetsOf,
  routers,
  type SignIn,
  unreachable,
  type Venue,
} from './venue.ts';
import { foundHolders, holders, questionsOf } from './who-had-it.ts';

/** Runs venues against the database and the model, many at once: each has a location of its own, and all share the batches. */

/** The limits of the visitors of every venue. Bob is slowed down, the others are ended. */
const bought: Readonly<Record<string, Limits>> = {
  ada: { totalBytes: 4e9, totalSeconds: 36_000 },
  bob: { dayBytes: 1e9, sessionBytes: 3e9, slowsDown: true },
  eve: { sessionBytes: 1e9, daySeconds: 7200 },
};

interface Place {
  readonly location: string;
  readonly devices: readonly RadiusDevice[];
  readonly visitors: Readonly<Record<string, string>>;
  readonly operator: Actor;
  /** Answers for the routers of this place. */
  readonly coa: CoaRouter;
}

/** Locations of a few tenants, each with routers and visitors. */
export async function makePlaces(app: App, count: number): Promise<Place[]> {
  const places: Place[] = [];
  let tenant: string | undefined;
  for (let i = 0; i < count; i++) {
    const scene = await makeScene(app, i % 8 === 0 ? undefined : tenant);
    tenant = scene.tenantId;
    const devices = [scene.device];
    while (devices.length < routers) devices.push(await scene.addDevice());
    const coa = await startCoaRouter();
    for (const { id } of devices) await scene.set('devices', id, { coa_port: coa.port });
    await scene.set('devices', devices[unreachable]!.id, { last_address: null });
    const profiles = {
      ada: { total_quota: limits.gb(4), total_duration: limits.hours(10) },
      bob: { daily_quota: limits.gb(1), session_quota: limits.gb(3), reduced_speed: limits.mbps(1) },
      eve: { session_quota: limits.gb(1), daily_duration: limits.hours(2) },
    };
    const visitors: Record<string, string> = {};
    for (const [user, more] of Object.entries(profiles)) {
      const profile_id = await scene.addProfile({ sharedUser: 9 }, more);
      visitors[user] = await scene.addVisitor(user, 'pw', { profile_id });
    }
    places.push({ location: scene.locationId, devices, visitors, coa, operator: await scene.addOperator() });
  }
  return places;
}

function recordOf(p: Packet, { place, classes }: Run): AccountingRecord {
  const base = {
    device: place.devices[p.router]!,
    sourceIp: '127.0.0.1',
    at: new Date(p.at * 1000),
    nasIp: undefined,
    networks: [],
  };
  if (p.status === 'on' || p.status === 'off') return { ...base, status: p.status };
  return {
    ...base,
    status: p.status,
    sessionId: p.id,
    class: p.class && classes.get(p.class),
    userName: userOf(p.guest),
    mac: macOf(p.guest)?.toUpperCase(),
    networks: [],
    framedIp: p.ip,
    calledStationId: undefined,
    nasPortId: undefined,
    sessionSeconds: p.seconds,
    uploadBytes: p.up,
    downloadBytes: p.down,
    terminateCause: p.cause,
  };
}

const tables = [
  'online_sessions',
  'session_history',
  'session_hours',
  'session_days',
  'visitor_days',
  'visitor_device_days',
  'guest_devices',
  'session_commands',
  'session_parts',
  'admissions',
];

/** Day limits need a day that does not end meanwhile. */
const zoneOfNoon = (): string => {
  const hours = 12 - new Date().getUTCHours();
  return hours === 0 ? 'Etc/GMT' : `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`;
};

type Apply = (records: readonly AccountingRecord[]) => Promise<unknown>;

export interface Difference {
  readonly venue: number;
  readonly what: string;
}

/** Where the database and the model differ. `silent`: before which batch all routers fall silent. */
export async function differences(
  app: App,
  apply: Apply,
  places: readonly Place[],
  venues: readonly Venue[],
  silent: number,
): Promise<Difference[]> {
  const now = Math.floor(Date.now() / 1000);
  await app.db.withSystem(async tx => {
    for (const table of tables) await tx.run(sql`delete from ${sql([table])}`);
  });
  const runs = venues.map((venue, i): Run => {
    const place = places[i]!;
    const zone = venue.begins === undefined ? zoneOfNoon() : venue.zone;
    // Longer ago than any silence that is waited for.
    const packets = packetsOf(venue, now - 3000);
    const batches = batchesOf(packets, venue.batches);
    return { place, zone, batches, classes: new Map<string, string>(), model: new Model(zone, now, bought), kicks: [] };
  });
  await setZones(app, runs);
  const steps = Math.max(silent + 1, ...runs.map(run => run.batches.length));
  for (let step = 0; step < steps; step++) {
    if (step === silent) {
      while ((await app.db.withSystem(closeStale)) >= 500);
      for (const run of runs) run.model.silence();
    }
    const due = runs.filter(run => run.batches[step]);
    await signIn(app, due, step);
    await Promise.all(due.map(run => kickAll(app, run, step)));
    const records = mixed(due.map(run => packetsIn(run.batches[step]!).map(p => recordOf(p, run))));
    if (records.length) await apply(records);
    for (const run of due) run.model.apply(run.batches[step]!);
  }
  const found = await compare(app, runs);
  if (found.length) return found;
  return repeated(app, apply, runs, steps - 1);
}

const packetsIn = (batch: Batch): Packet[] => batch.filter(isPacket);

/** The sessions that operators of one place end in one step. */
async function kickAll(app: App, run: Run, step: number): Promise<void> {
  for (const it of run.batches[step]!)
    if (it.status === 'kick') run.kicks.push(await kick(app, run.place, it, it.class && run.classes.get(it.class)));
}

/** The sign-ins of one step are accepted, and get their Classes. */
async function signIn(app: App, due: readonly Run[], step: number): Promise<void> {
  const made = due.flatMap(run =>
    run.batches[step]!.filter((it): it is SignIn => it.status === 'sign-in').map(it => ({ run, it })),
  );
  if (!made.length) return;
  const grants = made.map(({ run: { place }, it }) => ({
    tenant_id: place.devices[it.router]!.tenantId,
    location_id: place.location,
    device_id: place.devices[it.router]!.id,
    visitor_id: it.as && place.visitors[it.as]!,
    profile_id: null,
    network_id: null,
    mac: macOf(it.guest),
    interim: 60,
    shared_user: null,
    paid_end: null,
  }));
  const given = await app.db.withSystem(tx => admit(tx, grants));
  for (const [i, { run, it }] of made.entries()) run.classes.set(it.class, given[i]!);
}

/** The same batch once more changes nothing. A router that says again that it restarted ends what came late before. */
async function repeated(app: App, apply: Apply, runs: readonly Run[], step: number): Promise<Difference[]> {
  const restarts = (batch: Batch) => batch.some(p => p.status === 'on' || p.status === 'off');
  const records = mixed(
    runs
      .map(run => packetsIn(run.batches[step] ?? []).map(p => recordOf(p, run)))
      .filter((_, i) => !restarts(runs[i]!.batches[step] ?? [])),
  );
  if (!records.length) return [];
  const before = await app.db.withSystem(readAll);
  await apply(records);
  const after = await app.db.withSystem(readAll);
  return runs.flatMap((run, venue) => {
    const [was, is] = [before, after].map(all => all.find(it => it.location === run.place.location)?.lines ?? []);
    if (was!.join() === is!.join()) return [];
    const only = (a: string[], b: string[]) => a.filter(it => !b.includes(it)).join(' | ');
    return {
      venue,
      what: `the last batch applied again changed ${only(was!, is!)} to ${only(is!, was!)}; ${story(run)}`,
    };
  });
}

const readAll = (tx: Tx) => {
  const parts = tables.map(table => sql`select location_id, ${table} || ' ' || t::text as line from ${sql([table])} t`);
  // An address has no location of its own.
  parts.push(sql`select s.location_id, 'session_addresses ' || t::text from session_addresses t
    join (select id, location_id from online_sessions union all select id, location_id from session_history) s on s.id = t.session_id`);
  return tx.many<{ location: string; lines: string[] }>(
    sql`select location_id as location, array_agg(line order by line) as lines from (${join(parts, ' union all ')}) x group by 1`,
  );
};

/** The records of all places in turn; those of one place keep their order. */
function mixed<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map(list => list.length));
  return Array.from({ length: longest }, (_, i) => lists.flatMap(list => list.slice(i, i + 1))).flat();
}

interface Run {
  readonly place: Place;
  readonly zone: string;
  readonly batches: readonly Batch[];
  /** The Class that the database made, by our number of the sign-in. */
  readonly classes: Map<string, string>;
  readonly model: Model;
  /** The answers to operators. */
  readonly kicks: string[];
}

const setZones = (app: App, runs: readonly Run[]) =>
  app.db.withSystem(tx =>
    tx.run(sql`
      update locations l set time_zone = z.zone
      from jsonb_to_recordset(${JSON.stringify(runs.map(run => ({ id: run.place.location, zone: run.zone })))}::jsonb) z(id uuid, zone text)
      where l.id = z.id and l.time_zone <> z.zone`),
  );

/** Everything a place is asked about, as sorted lines of text. */
type Figures = Readonly<Record<string, readonly string[]>>;

const line = (...values: readonly unknown[]): string => values.map(value => value ?? '-').join(' ');

function expected({ model, place, batches }: Run): Figures {
  const hours = new Map<string, Use>();
  const days = new Map<string, Use>();
  const visitorDays = new Map<string, Use>();
  const began = new Set<string>();
  const phones = new Map<string, Session[]>();
  for (const it of model.sessions) {
    const { visitor } = it;
    for (const [hour, use] of it.hours) {
      const day = hour.slice(0, 10);
      sumUp(hours, line(it.router, hour), use);
      sumUp(days, line(it.router, day), use);
      if (visitor) sumUp(visitorDays, line(visitor, day), use);
      if (visitor && use.sessions > 0) began.add(line(it.router, day, visitor));
    }
    if (it.mac) phones.set(it.mac, [...(phones.get(it.mac) ?? []), it]);
  }
  return {
    online: model.open
      .map(it =>
        line(
          it.key,
          it.visitor,
          it.began,
          it.last,
          it.ip,
          it.seconds,
          it.up,
          it.down,
          it.interim,
          it.reopened,
          it.reduced,
        ),
      )
      .sort(),
    history: model.sessions
      .filter(it => it.ended !== undefined)
      .map(it =>
        line(
          it.key,
          it.visitor,
          it.began,
          it.ended,
          it.reason,
          it.cause,
          it.ip,
          it.seconds,
          it.up,
          it.down,
          it.reopened,
        ),
      )
      .sort(),
    hours: printed(hours),
    days: printed(days),
    'visitor days': printed(visitorDays),
    'visitor device days': [...began].sort(),
    usage: Object.keys(place.visitors).map(user => {
      const { seconds, up, down } = model.usage(user);
      return line(user, seconds, up + down);
    }),
    'guest devices': [...phones]
      .map(([mac, list]) => line(mac, list.length, Math.max(...list.map(it => it.began))))
      .sort(),
    commands: model.sessions
      .flatMap(it => it.commands.map(({ kind, reason, state }) => line(it.key, it.began, kind, reason, state)))
      .sort(),
    kicks: model.kicks,
    'who had it': questionsOf(batches).flatMap(question => holders(model, question)),
  };
}

function sumUp(sums: Map<string, Use>, key: string, use: Use): void {
  const sum = sums.get(key) ?? { sessions: 0, seconds: 0, up: 0, down: 0 };
  add(sum, use);
  sums.set(key, sum);
}

const printed = (sums: ReadonlyMap<string, Use>): string[] =>
  [...sums]
    .filter(([, use]) => use.sessions || use.seconds || use.up || use.down)
    .map(([key, use]) => line(key, use.sessions, use.seconds, use.up, use.down))
    .sort();

interface Row {
  readonly location_id: string;
  readonly kind: string;
  readonly line: string;
}

/** One query for all: each row is one line of one figure. */
const readFigures = (tx: Tx, runs: readonly Run[]) => {
  const places = runs.map(run => run.place);
  const classes = runs.flatMap(run => [...run.classes].map(([label, made]) => ({ label, made })));
  const devices = places.flatMap(place => place.devices.map((device, router) => ({ id: device.id, router })));
  const visitors = places.flatMap(place => Object.entries(place.visitors).map(([name, id]) => ({ id, name })));
  const key = sql`concat_ws(' ', d.router, s.acct_session_id, s.user_name, coalesce(s.client_mac::text, '-'), coalesce((select label from c where made = s.class), '-'))`;
  const visitor = sql`coalesce((select name from v where v.id = s.visitor_id), '-')`;
  const epoch = (column: string) => sql`extract(epoch from ${sql([column])})::bigint`;
  const open = sql`select location_id, device_id, visitor_id, day, hour, 0 as sessions, seconds - counted_seconds as seconds,
    upload - counted_upload as up, download - counted_download as down from online_sessions`;
  const used = sql`having sum(sessions) > 0 or sum(seconds) > 0 or sum(up) > 0 or sum(down) > 0`;
  const sums = sql`sum(sessions), sum(seconds), sum(up), sum(down)`;
  return tx.many<Row>(sql`
    with d as (select * from jsonb_to_recordset(${JSON.stringify(devices)}::jsonb) x(id uuid, router int)),
    v as (select * from jsonb_to_recordset(${JSON.stringify(visitors)}::jsonb) x(id uuid, name text)),
    c as (select * from jsonb_to_recordset(${JSON.stringify(classes)}::jsonb) x(label text, made text)),
    o as (${open}),
    counted as (
      select location_id, device_id, null::uuid as visitor_id, day, hour, sessions, seconds, upload as up, download as down, 'hours' as kind from session_hours
      union all select location_id, device_id, visitor_id, day, hour, sessions, seconds, up, down, 'hours' from o
      union all select location_id, device_id, null, day, null, sessions, seconds, upload, download, 'days' from session_days
      union all select location_id, device_id, null, day, null, sessions, seconds, up, down, 'days' from o
      union all select location_id, null, visitor_id, day, null, sessions, seconds, upload, download, 'visitor days' from visitor_days
      union all select location_id, null, visitor_id, day, null, sessions, seconds, up, down, 'visitor days' from o where visitor_id is not null)
    select s.location_id, 'online' as kind, concat_ws(' ', ${key}, ${visitor}, ${epoch('started_at')}, ${epoch('updated_at')}, host(client_ip), seconds, upload,
      download, interim, case when reopened then 'true' else 'false' end, case when reduced then 'true' else 'false' end) as line
    from online_sessions s join d on d.id = s.device_id
    union all
    select s.location_id, 'history', concat_ws(' ', ${key}, ${visitor}, ${epoch('started_at')}, ${epoch('ended_at')}, close_reason, coalesce(terminate_cause, '-'),
      host(client_ip), seconds, upload, download, case when reopened then 'true' else 'false' end)
    from session_history s join d on d.id = s.device_id
    union all
    select location_id, kind, concat_ws(' ', d.router, day || case kind when 'hours' then ' ' || lpad(hour::text, 2, '0') else '' end, ${sums})
    from counted join d on d.id = device_id where kind in ('hours', 'days') group by location_id, kind, d.router, day, hour ${used}
    union all
    select location_id, kind, concat_ws(' ', v.name, day, ${sums})
    from counted join v on v.id = visitor_id where kind = 'visitor days' group by location_id, kind, v.name, day ${used}
    union all
    select location_id, 'visitor device days', concat_ws(' ', d.router, day, v.name)
    from visitor_device_days x join d on d.id = x.device_id join v on v.id = x.visitor_id
    union all
    select x.location_id, 'usage', concat_ws(' ', v.name, u.total_seconds, u.total_bytes)
    from v join visitors x on x.id = v.id cross join lateral visitor_usage(x.tenant_id, x.location_id, x.id, current_date, true) u
    union all
    select location_id, 'guest devices', concat_ws(' ', client_mac, sessions, ${epoch('session_started_at')}) from guest_devices
    union all
    select s.location_id, 'commands', concat_ws(' ', ${key}, ${epoch('started_at')}, k.kind, k.reason, k.state)
    from session_commands k
    join (select id, device_id, location_id, acct_session_id, user_name, client_mac, class, started_at from online_sessions
      union all select id, device_id, location_id, acct_session_id, user_name, client_mac, class, started_at from session_history) s on s.id = k.session_id
    join d on d.id = s.device_id`);
};

const told = (p: Event): string => {
  if (p.status === 'sign-in') return line(p.status, p.router, macOf(p.guest), `as ${p.as}`, p.class);
  if (p.status === 'kick') return line(p.status, keyOf(p), p.answer);
  return line(
    p.status,
    p.router,
    p.id,
    userOf(p.guest),
    macOf(p.guest),
    p.ip,
    `at ${p.at}, ${p.seconds} s`,
    p.up,
    p.down,
    p.class,
  );
};

const story = (run: Run): string =>
  `in ${run.zone}: ${run.batches.map(batch => batch.map(told).join('; ')).join(' / ')}`;

async function compare(app: App, runs: readonly Run[]): Promise<Difference[]> {
  const places = runs.map(run => run.place);
  const rows = await app.db.withSystem(tx => readFigures(tx, runs));
  const unsound = await app.db.withSystem(tx => readUnsound(tx, places));
  const found = await app.db.withSystem(async tx => {
    const lists: string[][] = [];
    for (const { place, batches } of runs) {
      const asked = questionsOf(batches).map(question => foundHolders(tx, place, question));
      lists.push((await Promise.all(asked)).flat());
    }
    return lists;
  });
  return runs.flatMap((run, venue) => {
    const own = rows.filter(row => row.location_id === run.place.location);
    const asked: Figures = { 'who had it': found[venue]!, kicks: run.kicks };
    const differing = Object.entries(expected(run)).flatMap(([kind, lines]) => {
      const actual = (asked[kind] ?? own.filter(row => row.kind === kind).map(row => row.line)).toSorted();
      const wanted = [...lines].sort();
      if (wanted.join('\n') === actual.join('\n')) return [];
      const only = (a: readonly string[], b: readonly string[]) => a.filter(it => !b.includes(it)).join(' | ');
      return [`${kind}: the model says ${only(wanted, actual)}; the database ${only(actual, wanted)}`];
    });
    differing.push(...unsound.filter(row => row.location_id === run.place.location).map(row => row.line));
    return differing.length ? [{ venue, what: [...differing, story(run)].join('\n') }] : [];
  });
}

/** Totals that the reconciliation computes otherwise, and guest devices that are online twice. */
const readUnsound = (tx: Tx, places: readonly Place[]) =>
  tx.many<{ location_id: string; line: string }>(sql`
    select d.location_id, 'reconciliation: ' || d.day || ' ' || f as line
    from (select tenant_id, location_id, day from session_days union select tenant_id, location_id, day from session_hours) d
    cross join lateral figure_differences(d.tenant_id, d.location_id, d.day) f
    where d.location_id = any(${places.map(place => place.location)})
    union all
    select location_id, 'online twice: ' || client_mac from online_sessions
    where client_mac is not null group by location_id, client_mac having count(*) > 1`);
