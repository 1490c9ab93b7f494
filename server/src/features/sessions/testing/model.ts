import { type Batch, isPacket, type Kick, type Packet, type SignIn } from './venue.ts';

/**
 * The rules of sessions (docs/rules/sessions.md, RFC 2866) in the plainest form: one report after another, all sessions in one
 * list. The database does the same in batches, and keeps sums. Times are in seconds of Unix time.
 */

export interface Use {
  sessions: number;
  seconds: number;
  up: number;
  down: number;
}

export interface Session {
  readonly key: string;
  readonly router: number;
  readonly mac: string | null;
  /** By user name; null: not known to the venue. */
  readonly visitor: string | null;
  readonly began: number;
  ip: string;
  /** Once the address has changed: each address with the first and the last report of it. */
  readonly addresses: Map<string, { first: number; last: number }>;
  /** The times at which reports prove an address of a session whose address has changed. */
  stays: Stay[];
  /** All addresses that were reported, to check the answers. */
  readonly reported: { readonly ip: string; readonly at: number }[];
  last: number;
  ended: number | undefined;
  reason: 'stop' | 'replaced' | 'roamed' | 'stale' | 'restart' | undefined;
  cause: string | null;
  seconds: number;
  up: number;
  down: number;
  interim: number;
  reopened: boolean;
  reduced: boolean;
  /** The use in each local hour: 2026-01-31 23. */
  readonly hours: Map<string, Use>;
  /** The hour that use counts in now. */
  hour: string;
  readonly commands: Command[];
}

interface Stay {
  readonly ip: string;
  readonly from: number;
  readonly to: number;
}

interface Command {
  readonly kind: 'end' | 'change';
  readonly reason: 'limit' | 'operator';
  state: 'requested' | 'confirmed' | Kick['answer'];
}

/** Limits of a visitor: in total, of the day that is today, and of one session. */
export interface Limits {
  readonly totalBytes?: number;
  readonly totalSeconds?: number;
  readonly dayBytes?: number;
  readonly daySeconds?: number;
  readonly sessionBytes?: number;
  /** A used-up volume reduces the speed and does not end the session. */
  readonly slowsDown?: boolean;
}

export const macOf = (guest: number): string | null => (guest === 5 ? null : `a0:00:00:00:00:0${guest}`);
export const userOf = (guest: number): string => ['ada', 'ada', 'bob', 'eve', 'unknown', 'ada'][guest]!;

/** The key of a session among all of a venue. */
export const keyOf = (it: Pick<Packet, 'router' | 'id' | 'guest' | 'class'>): string =>
  [it.router, it.id, userOf(it.guest), macOf(it.guest) ?? '-', it.class ?? '-'].join(' ');

/** A visitor is known by its user name. */
const named = (user: string): string | null => (user === 'unknown' ? null : user);

const formats = new Map<string, Intl.DateTimeFormat>();

/** The hour on the clocks of a zone, as "2026-01-31 23". */
export function hourIn(zone: string, at: number): string {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('sv', { timeZone: zone, hourCycle: 'h23', dateStyle: 'short', timeStyle: 'short' });
  formats.set(zone, format);
  return format.format(at * 1000).slice(0, 13);
}

/** A byte counter after a report. A lower count is a wrap of 32 bits, unless that means more than 1 Gbit/s. */
function count(known: number, sent: number, elapsed: number): number {
  if (sent >= known) return sent;
  let wrapped = sent;
  while (wrapped < known) wrapped += 2 ** 32;
  const fits = sent > 0 && sent < 2 ** 32 && wrapped - known <= elapsed * 125e6;
  return fits ? wrapped : known;
}

export class Model {
  readonly sessions: Session[] = [];
  private readonly zone: string;
  private readonly today: string;
  private readonly limits: Readonly<Record<string, Limits>>;
  /** Accepted sign-ins that no session has used yet. */
  private admissions: SignIn[] = [];
  private readonly used = new Set<SignIn>();
  /** The answer to the operator; none: there is no such session. */
  readonly kicks: (Kick['answer'] | 'none')[] = [];

  constructor(zone: string, now: number, limits: Readonly<Record<string, Limits>>) {
    this.zone = zone;
    this.today = hourIn(zone, now).slice(0, 10);
    this.limits = limits;
  }

  get open(): Session[] {
    return this.sessions.filter(it => it.ended === undefined);
  }

  /** One batch: the sign-ins, what operators end, every report in its turn, then the limits of those who reported. */
  apply(batch: Batch): void {
    for (const it of batch) if (it.status === 'sign-in') this.admit(it);
    for (const it of batch) if (it.status === 'kick') this.kick(it);
    const reported = new Set<Session>();
    for (const packet of batch) {
      if (!isPacket(packet)) continue;
      const session = this.report(packet);
      if (session && packet.status === 'interim') reported.add(session);
    }
    this.admissions = this.admissions.filter(it => !this.used.has(it));
    const keys = new Set([...reported].map(it => it.key));
    const visitors = new Set(this.open.filter(it => keys.has(it.key)).map(it => it.visitor));
    for (const visitor of visitors) if (visitor) this.enforce(visitor);
    const online = this.open.flatMap(it => it.mac ?? []);
    if (new Set(online).size < online.length) throw new Error('a guest device is online twice');
  }

  private kick(it: Kick): void {
    const session = this.open.find(one => one.key === keyOf(it));
    session?.commands.push({ kind: 'end', reason: 'operator', state: it.answer });
    this.kicks.push(session ? it.answer : 'none');
  }

  /** A guest device has one sign-in per router: its latest. */
  private admit(it: SignIn): void {
    const mac = macOf(it.guest);
    this.admissions = this.admissions.filter(
      old => mac === null || old.router !== it.router || macOf(old.guest) !== mac,
    );
    this.admissions.push(it);
  }

  /** By the Class of the sign-in, also where an earlier session had it, else by the guest device's last sign-in, else by user name. */
  private visitorOf(p: Packet, key: string): string | null {
    const here = this.admissions.filter(it => it.router === p.router);
    const earlier = this.sessions.filter(it => p.class && it.key === key).sort((a, b) => b.began - a.began)[0];
    const mac = macOf(p.guest);
    const byClass = here.find(it => it.class === p.class);
    if (!byClass && earlier) return earlier.visitor;
    const found = byClass ?? here.find(it => mac !== null && macOf(it.guest) === mac);
    if (!found) return named(userOf(p.guest));
    this.used.add(found);
    return found.as;
  }

  /** Routers were silent for long. */
  silence(): void {
    for (const it of this.open) this.close(it, it.last, 'stale');
  }

  private report(p: Packet): Session | undefined {
    if (p.status === 'on' || p.status === 'off') {
      for (const it of this.open) if (it.router === p.router && it.last <= p.at) this.close(it, it.last, 'restart');
      return undefined;
    }
    const mac = macOf(p.guest);
    const key = keyOf(p);
    const began = p.at - p.seconds;
    const open = this.open.find(it => it.key === key);
    const rival = this.open.find(it => it.key !== key && mac !== null && it.mac === mac);
    const rebooted = open !== undefined && began > open.last + 30 && (p.status === 'start' || p.seconds < open.seconds);
    const earlier = this.past(p, key, open);

    if (earlier) {
      if (p.status === 'start') return undefined;
      if (!open && p.status === 'interim' && this.lives(earlier, p, rival)) return this.reopen(earlier, p, rival);
      this.amend(earlier, p, open ?? rival);
      return undefined;
    }
    if (open && !rebooted) {
      this.update(open, p);
      if (p.status === 'stop') this.close(open, p.at, 'stop', p.cause);
      return open;
    }
    if (open) this.close(open, open.last, 'replaced');
    return this.begin(p, key, rival);
  }

  /** The session that is over and that the report is about: the one that it would have belonged to while that was open. */
  private past(p: Packet, key: string, open: Session | undefined): Session | undefined {
    const began = p.at - p.seconds;
    const latest = began + 60;
    if (open && latest >= open.began) return undefined;
    const slack = (it: Session) => (it.reason === 'restart' ? 0 : 120);
    // A Class belongs to one sign-in, and a sign-in to one session.
    const isOld = (it: Session) =>
      Boolean(p.class) &&
      (it.reason === 'stop' ||
        (p.status === 'start' && it.reason !== 'restart') ||
        // The clock was set forward.
        (it.reason === 'stale' && p.seconds >= it.seconds && p.up >= it.up && p.down >= it.down));
    // Without Acct-Session-Time, `began` is the time of the report. The session goes on for up to a day.
    const goesOn = (it: Session) =>
      p.status === 'interim' &&
      p.seconds === 0 &&
      it.seconds === 0 &&
      it.reason === 'stale' &&
      it.ended! > p.at - 86_400 &&
      p.up >= it.up &&
      p.down >= it.down;
    const over = this.sessions.filter(
      it =>
        it.key === key &&
        it.ended !== undefined &&
        (!open || it.began < open.began) &&
        (began <= it.ended + slack(it) || isOld(it) || goesOn(it)),
    );
    const before = over.filter(it => it.began <= latest).sort((a, b) => b.began - a.began);
    const after = over.filter(it => it.began > latest).sort((a, b) => a.began - b.began);
    return before[0] ?? after[0];
  }

  /** Whether a session that was taken for dead goes on. */
  private lives(it: Session, p: Packet, rival: Session | undefined): boolean {
    if (it.reason === 'stale') return p.at > it.ended! && !rival;
    return (
      (it.reason === 'roamed' || it.reason === 'replaced') &&
      rival !== undefined &&
      rival.router !== p.router &&
      p.at > rival.last &&
      // A report of the time there, after the guest had come to the other router, has told what was used until then.
      it.began + it.seconds >= rival.began &&
      p.seconds > it.seconds &&
      p.up + p.down > it.up + it.down
    );
  }

  private begin(p: Packet, key: string, rival: Session | undefined): Session {
    const began = p.at - p.seconds;
    const session: Session = {
      key,
      router: p.router,
      mac: macOf(p.guest),
      visitor: this.visitorOf(p, key),
      began,
      ip: p.ip,
      addresses: new Map(),
      stays: [],
      reported: [{ ip: p.ip, at: p.at }],
      last: p.at,
      ended: undefined,
      reason: undefined,
      cause: null,
      seconds: 0,
      up: 0,
      down: 0,
      interim: 60,
      reopened: false,
      reduced: false,
      hours: new Map(),
      hour: hourIn(this.zone, p.at),
      commands: [],
    };
    useOf(session, hourIn(this.zone, began)).sessions = 1;
    this.grow(session, p.seconds, p.up, p.down);
    this.sessions.push(session);
    // A report of a session that was over before the guest device began its present one.
    if (p.status === 'stop') this.close(session, p.at, 'stop', p.cause);
    else if (rival && p.at < rival.began) this.close(session, p.at, leaving(session, rival));
    else if (rival) this.close(rival, rival.last, leaving(rival, session));
    return session;
  }

  /** Another address than before. A late report says which address was in use until then. */
  private noteAddress(it: Session, p: Packet, last: number, state: 'open' | 'reopened' | 'closed'): void {
    it.reported.push({ ip: p.ip, at: p.at });
    // The end of a closed session does not say that it had its address later.
    const isAfterEnd = state === 'closed' && p.status === 'interim' && p.at > last;
    if (p.ip === it.ip && (it.stays.length === 0 ? !isAfterEnd : p.at >= last && state === 'open')) return;
    // A report from before the start, by the clock of the router, is one of the start.
    const at = Math.max(p.at, it.began);
    if (it.stays.some(({ ip, from, to }) => ip === p.ip && from <= at && at <= to)) return;
    const stay = (ip: string, from: number, to: number) => {
      const known = it.addresses.get(ip) ?? { first: from, last: to };
      it.addresses.set(ip, { first: Math.min(known.first, from), last: Math.max(known.last, to) });
      it.stays = it.stays.filter(one => one.ip !== ip || one.to < from || one.from > to);
      it.stays.push({ ip, from, to });
    };
    const latest = Math.max(...it.stays.map(({ to }) => to));
    const present = it.stays.find(({ ip, to }) => ip === it.ip && to === latest);
    if (p.ip === present?.ip && at > latest) return;
    if (it.stays.length === 0 || (present && last > latest)) stay(it.ip, present?.from ?? it.began, last);

    it.stays = it.stays.flatMap(one => {
      if (one.ip === p.ip || one.from > at || one.to <= at) return [one];
      const end = { ...one, from: one.to };
      return one.from < at ? [{ ...one, to: one.from }, end] : [end];
    });
    const others = it.stays.filter(({ ip }) => ip !== p.ip);
    const joins = ({ ip, from, to }: Stay) =>
      ip === p.ip && !others.some(other => other.from <= Math.max(from, at) && other.to >= Math.min(to, at));
    const joined = it.stays.filter(one => joins(one));
    stay(p.ip, Math.min(at, ...joined.map(({ from }) => from)), Math.max(at, ...joined.map(({ to }) => to)));
  }

  private update(it: Session, p: Packet): void {
    this.noteAddress(it, p, it.last, 'open');
    if (p.at >= it.last) it.ip = p.ip;
    if (p.at > it.last) it.hour = later(it.hour, hourIn(this.zone, p.at));
    it.last = Math.max(it.last, p.at);
    this.learn(it, p);
  }

  private reopen(it: Session, p: Packet, rival: Session | undefined): Session {
    this.noteAddress(it, p, it.ended!, 'reopened');
    if (rival) this.close(rival, rival.last, leaving(rival, it));
    // The router reports less often than it was asked to.
    if (it.reason === 'stale') it.interim = Math.min(900, Math.max(it.interim, p.at - it.ended!));
    it.ended = undefined;
    it.reason = undefined;
    it.reopened = true;
    it.last = p.at;
    it.ip = p.ip;
    it.hour = hourIn(this.zone, p.at);
    this.learn(it, p);
    return it;
  }

  private amend(it: Session, p: Packet, next: Session | undefined): void {
    this.noteAddress(it, p, it.ended!, 'closed');
    this.learn(it, p);
    it.cause ??= p.cause ?? null;
    if (p.status !== 'stop' || it.reason === 'stop') return;
    const limit = next && next.began > it.began ? next.began : p.at;
    it.ended = Math.max(it.ended!, Math.min(p.at, limit));
    it.reason = 'stop';
  }

  private learn(it: Session, p: Packet): void {
    const elapsed = p.seconds - it.seconds;
    this.grow(it, Math.max(it.seconds, p.seconds), count(it.up, p.up, elapsed), count(it.down, p.down, elapsed));
  }

  /** The increase counts in the hour of the session's latest report. */
  private grow(it: Session, seconds: number, up: number, down: number): void {
    const use = useOf(it, it.hour);
    use.seconds += seconds - it.seconds;
    use.up += up - it.up;
    use.down += down - it.down;
    Object.assign(it, { seconds, up, down });
  }

  private close(it: Session, at: number, reason: Session['reason'], cause?: string): void {
    it.ended = Math.max(at, it.began);
    it.reason = reason;
    it.cause = cause ?? null;
    // Its commands are carried out, except those that the router refused.
    if (reason === 'stop') for (const one of it.commands) if (one.state !== 'refused') one.state = 'confirmed';
  }

  private enforce(visitor: string): void {
    const limits = this.limits[visitor];
    if (!limits) return;
    const total = this.usage(visitor);
    const today = this.usage(visitor, this.today);
    const over = (used: number, limit: number | undefined) => limit !== undefined && used >= limit;
    const timeOver = over(total.seconds, limits.totalSeconds) || over(today.seconds, limits.daySeconds);
    const sumOver = over(total.up + total.down, limits.totalBytes) || over(today.up + today.down, limits.dayBytes);
    for (const it of this.open.filter(session => session.visitor === visitor)) {
      const volumeOver = sumOver || over(it.up + it.down, limits.sessionBytes);
      if (timeOver || (volumeOver && !limits.slowsDown)) {
        // Asked once; again after ten minutes only. A command of an operator that came to nothing does not count.
        const asked = it.commands.some(
          one => one.kind === 'end' && (one.reason === 'limit' || one.state === 'acknowledged'),
        );
        if (!asked) it.commands.push({ kind: 'end', reason: 'limit', state: 'requested' });
      } else if (limits.slowsDown && volumeOver !== it.reduced) {
        it.reduced = volumeOver;
        it.commands.push({ kind: 'change', reason: 'limit', state: 'requested' });
      }
    }
  }

  /** The use of a visitor, on one day or in total. */
  usage(visitor: string, day = ''): Use {
    const sum = { sessions: 0, seconds: 0, up: 0, down: 0 };
    for (const it of this.sessions.filter(session => session.visitor === visitor))
      for (const [hour, use] of it.hours) if (hour.startsWith(day)) add(sum, use);
    return sum;
  }
}

/** How a session ends for one that its guest device has instead. */
const leaving = (it: Session, next: Session) => (it.router === next.router ? 'replaced' : 'roamed');

function useOf(it: Session, hour: string): Use {
  const known = it.hours.get(hour) ?? { sessions: 0, seconds: 0, up: 0, down: 0 };
  it.hours.set(hour, known);
  return known;
}

const later = (a: string, b: string): string => (a > b ? a : b);

export function add(sum: Use, more: Use): void {
  sum.sessions += more.sessions;
  sum.seconds += more.seconds;
  sum.up += more.up;
  sum.down += more.down;
}
