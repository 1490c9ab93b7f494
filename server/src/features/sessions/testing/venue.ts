import fc from 'fast-check';

/** A made-up venue: what guests and routers do, and which packets of it arrive, in which order. */

/** One Accounting-Request as it arrived. Times are in seconds of Unix time. */
export interface Packet {
  readonly router: number;
  readonly status: 'start' | 'interim' | 'stop' | 'on' | 'off';
  readonly id: string;
  readonly guest: number;
  readonly ip: string;
  readonly at: number;
  readonly seconds: number;
  readonly up: number;
  readonly down: number;
  readonly cause: 'Lost-Carrier' | 'User-Request' | 'Admin-Reset' | undefined;
  /** The Class of the session's sign-in, if there was one and the router sends it. */
  readonly class: string | undefined;
}

/** An accepted Access-Request. The Class is numbered here; the database makes a random one. */
export interface SignIn {
  readonly status: 'sign-in';
  readonly router: number;
  readonly guest: number;
  /** The visitor whose credentials it had; null: the guest device needs none. */
  readonly as: string | null;
  readonly class: string;
}

/** An operator ends a session in the panel, also one that the router has no more. */
export interface Kick {
  readonly status: 'kick';
  readonly router: number;
  readonly id: string;
  readonly guest: number;
  readonly class: string | undefined;
  /** The router's answer to the Disconnect-Request. */
  readonly answer: 'acknowledged' | 'refused' | 'no-answer';
}

export type Event = Packet | SignIn | Kick;

export const isPacket = (it: Event): it is Packet => it.status !== 'sign-in' && it.status !== 'kick';

/** The losses and delays of a packet on its way. */
interface Fate {
  readonly lost: boolean;
  /** Seconds after which each copy arrives. */
  readonly waits: readonly number[];
  /** The router tells the delay (Acct-Delay-Time). */
  readonly tells: boolean;
}

export interface Action {
  /** `roam`: within seconds to the next router, which the one before does not notice. */
  readonly does: 'join' | 'roam' | 'use' | 'idle' | 'leave' | 'kick' | 'reboot';
  readonly guest: number;
  readonly router: number;
  /** Which of the running sessions uses, idles or leaves, or which of all is ended by an operator. */
  readonly which: number;
  /** Seconds since the action before. */
  readonly gap: number;
  readonly up: number;
  readonly down: number;
  /** The address that a guest who joins gets, or one who uses the network gets anew. Undefined: the usual one, or the same. */
  readonly address: number | undefined;
  /** The visitor whose credentials a joining guest has; undefined: it joins without a sign-in. */
  readonly as: string | null | undefined;
  /** The router sends the Class of the sign-in with the session. */
  readonly sendsClass: boolean;
  /** The router ends the session that an operator ends. */
  readonly obeys: boolean;
  /** The reports of a router that restarts. */
  readonly says: readonly ('on' | 'off')[];
  readonly fate: Fate;
}

export interface Venue {
  readonly zone: string;
  /** When the first action is, in Unix time; undefined: the last packet arrives about an hour ago. */
  readonly begins: number | undefined;
  readonly actions: readonly Action[];
  /** How many packets the listener applies together, again and again. */
  readonly batches: readonly number[];
}

export const guests = 6;
export const routers = 3;
/** The last router has counters of 32 bits and sends no Gigawords. */
const narrow = routers - 1;
/** Commands do not reach this router. */
export const unreachable = 1;
const wrap = 2 ** 32;

/** Moments around midnights, and around the clock changes of the zones below. */
const moments = [
  '2026-03-29T00:30:00Z', // Berlin goes ahead at 01:00Z
  '2025-10-25T23:30:00Z', // Berlin goes back at 01:00Z
  '2025-11-02T04:30:00Z', // New York goes back at 06:00Z
  '2026-03-08T05:30:00Z', // New York goes ahead at 07:00Z
  '2026-04-04T13:30:00Z', // Lord Howe goes back half an hour at 15:00Z
  '2025-10-04T14:40:00Z', // Lord Howe goes ahead half an hour at 15:30Z
  '2026-01-31T20:30:00Z', // midnight in Istanbul, and a month's end
  '2025-12-31T17:50:00Z', // midnight in Kathmandu, and a year's end
].map(time => Date.parse(time) / 1000);

const span = (max: number) => fc.integer({ min: 0, max });
const gap = fc.oneof(
  { weight: 6, arbitrary: span(90) },
  { weight: 4, arbitrary: span(1800) },
  { weight: 2, arbitrary: span(5 * 3600) },
  { weight: 1, arbitrary: span(40 * 3600) },
);
const wait = fc.oneof(
  { weight: 8, arbitrary: fc.constant(0) },
  { weight: 3, arbitrary: span(40) },
  { weight: 2, arbitrary: span(900) },
  { weight: 1, arbitrary: span(2 * 86_400) },
);
const fate = fc.record({
  lost: fc.integer({ min: 0, max: 7 }).map(n => n === 7),
  waits: fc.oneof(
    { weight: 4, arbitrary: fc.tuple(wait) },
    { weight: 1, arbitrary: fc.array(wait, { minLength: 2, maxLength: 3 }) },
  ),
  tells: fc.integer({ min: 0, max: 3 }).map(n => n < 3),
});
const bytes = fc.oneof(
  { weight: 4, arbitrary: span(1e6) },
  { weight: 3, arbitrary: span(900e6) },
  { weight: 1, arbitrary: span(6e9) },
);
const action: fc.Arbitrary<Action> = fc.record({
  does: fc.constantFrom<Action['does']>(
    'join',
    'join',
    'roam',
    'use',
    'use',
    'use',
    'use',
    'idle',
    'leave',
    'leave',
    'kick',
    'kick',
    'reboot',
  ),
  guest: fc.integer({ min: 0, max: guests - 1 }),
  router: fc.integer({ min: 0, max: routers - 1 }),
  which: span(7),
  gap,
  up: bytes,
  down: bytes,
  address: fc.oneof(
    { weight: 3, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 3 }) },
  ),
  as: fc.constantFrom(undefined, undefined, 'ada', 'bob', 'eve', null),
  sendsClass: fc.integer({ min: 0, max: 3 }).map(n => n < 3),
  obeys: fc.boolean(),
  says: fc.constantFrom<('on' | 'off')[]>([], ['on'], ['off'], ['off', 'on']),
  fate,
});

export const anyVenue: fc.Arbitrary<Venue> = fc.record({
  zone: fc.constantFrom(
    'Europe/Berlin',
    'America/New_York',
    'Australia/Lord_Howe',
    'Europe/Istanbul',
    'Asia/Kathmandu',
  ),
  begins: fc.oneof(
    { weight: 4, arbitrary: fc.tuple(fc.constantFrom(...moments), span(3 * 3600)).map(([at, more]) => at + more) },
    { weight: 1, arbitrary: fc.constant(undefined) },
  ),
  actions: fc.array(action, { maxLength: 24, size: 'max' }),
  batches: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 4 }),
});

interface Running {
  readonly guest: number;
  readonly router: number;
  readonly id: string;
  ip: string;
  readonly began: number;
  readonly class: string | undefined;
  up: number;
  down: number;
}

const addressOf = (router: number, host: number): string => `10.0.${router}.${host}`;

/** The packets of a venue's routers, in the order in which they arrive. */
export function packetsOf(venue: Venue, last: number): Event[] {
  const sent: { packet: Event; arrives: number }[] = [];
  const running = new Map<string, Running>();
  const begun: Running[] = [];
  const ids = Array.from({ length: routers }, () => 0);
  let signIns = 0;
  let now = venue.begins ?? 0;

  const send = (packet: Packet, { lost, waits, tells }: Fate) => {
    if (lost) return;
    for (const wait of waits) {
      const arrives = packet.at + wait;
      sent.push({ packet: tells ? packet : { ...packet, at: arrives }, arrives });
    }
  };
  const tell = (status: Packet['status'], it: Action, session?: Running, cause?: Packet['cause']) => {
    const router = session?.router ?? it.router;
    const counted = (n: number) => (router === narrow ? n % wrap : n);
    send(
      {
        router,
        status,
        id: session?.id ?? '',
        guest: session?.guest ?? it.guest,
        ip: session?.ip ?? '',
        at: now,
        seconds: session ? now - session.began : 0,
        up: counted(session?.up ?? 0),
        down: counted(session?.down ?? 0),
        cause,
        class: session?.class,
      },
      it.fate,
    );
  };

  for (const it of venue.actions) {
    now += it.does === 'roam' ? it.gap % 10 : it.gap;
    if (it.does === 'reboot') {
      for (const [key, session] of running) if (session.router === it.router) running.delete(key);
      ids[it.router] = 0;
      for (const word of it.says) tell(word, it);
      continue;
    }
    if (it.does === 'kick') {
      const chosen = begun[it.which % begun.length];
      if (!chosen) continue;
      const at = `${chosen.guest}@${chosen.router}`;
      const obeys = it.obeys && chosen.router !== unreachable && running.get(at) === chosen;
      const { router, id, guest, class: given } = chosen;
      const answer = router === unreachable ? 'no-answer' : obeys ? 'acknowledged' : 'refused';
      sent.push({ packet: { status: 'kick', router, id, guest, class: given, answer }, arrives: now });
      if (!obeys) continue;
      running.delete(at);
      tell('stop', it, chosen, 'Admin-Reset');
      continue;
    }
    const session = [...running.values()][it.which % running.size];
    if (it.does === 'join' || (it.does === 'roam' && session)) {
      const guest = it.does === 'roam' ? session!.guest : it.guest;
      const router = it.does === 'roam' ? (session!.router + 1) % routers : it.router;
      const key = `${guest}@${router}`;
      const before = running.get(key);
      if (before) tell('stop', it, before, 'Lost-Carrier');
      const given = `c${it.as === undefined ? signIns : ++signIns}`;
      if (it.as !== undefined)
        sent.push({ packet: { status: 'sign-in', router, guest, as: it.as, class: given }, arrives: now });
      const fresh = {
        guest,
        router,
        class: it.as !== undefined && it.sendsClass ? given : undefined,
        id: `s${++ids[router]!}`,
        ip: addressOf(router, it.address ?? guest),
        began: now,
        up: 0,
        down: 0,
      };
      running.set(key, fresh);
      begun.push(fresh);
      tell('start', it, fresh);
      continue;
    }
    if (!session || it.does === 'roam') continue;
    if (it.does !== 'idle') {
      session.up += it.up;
      session.down += it.down;
      if (it.address !== undefined) session.ip = addressOf(session.router, it.address);
    }
    if (it.does === 'leave') running.delete(`${session.guest}@${session.router}`);
    tell(it.does === 'leave' ? 'stop' : 'interim', it, session, it.does === 'leave' ? 'User-Request' : undefined);
  }
  sent.sort((a, b) => a.arrives - b.arrives);
  if (venue.begins !== undefined) return sent.map(it => it.packet);
  const shift = last - (sent.at(-1)?.arrives ?? 0);
  return sent.map(({ packet }) => (isPacket(packet) ? { ...packet, at: packet.at + shift } : packet));
}

export type Batch = readonly Event[];

/** The packets as the listener batches them. */
export function batchesOf(packets: Batch, sizes: readonly number[]): Batch[] {
  const batches: Batch[] = [];
  for (let from = 0; from < packets.length; ) {
    const size = sizes[batches.length % sizes.length]!;
    batches.push(packets.slice(from, from + size));
    from += size;
  }
  return batches;
}
