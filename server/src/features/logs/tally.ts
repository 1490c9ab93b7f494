import type { LogFacts, LogType } from '#routers/log-line.ts';
import type { LocalHour } from './local-day.ts';
import { applicationOf, siteOf } from './names.ts';

export type TopKind = 'website' | 'application' | 'country';

export interface Top {
  readonly kind: TopKind;
  readonly day: string;
  readonly hour: number;
  readonly name: string;
  recv: number;
  sent: number;
  connections: number;
}

/** Lines of one type within one part of a stream. */
export interface TypeCount {
  lines: number;
  bytes: number;
}

/** A range of the stream within one local day. `startsDay`: the day begins with it. */
export interface DayPart {
  readonly day: string;
  readonly start: number;
  end: number;
  readonly startsDay: boolean;
  readonly types: Map<LogType, TypeCount>;
}

/** The counts of one device's stream that are not committed yet. */
export interface DeviceTally {
  readonly tenantId: string;
  readonly deviceId: string;
  readonly locationId: string | undefined;
  /** The committed position. */
  readonly from: number;
  to: number;
  /** The open day has passed and all its lines are read. */
  closed: boolean;
  readonly parts: DayPart[];
  /** Lines per minute of each hour, by the start of the hour in milliseconds. */
  readonly hours: Map<number, Int32Array>;
  readonly tops: Map<string, Top>;
}

/** An empty tally of a stream from its committed position. */
export const newTally = (
  of: Pick<DeviceTally, 'tenantId' | 'deviceId' | 'locationId'>,
  position: number,
): DeviceTally => ({
  ...of,
  from: position,
  to: position,
  closed: false,
  parts: [],
  hours: new Map(),
  tops: new Map(),
});

const hourMs = 3_600_000;
const minuteMs = 60_000;
/** Sums stop here. A router, or a forged line, may report any number, and a sum that fits no column would stop the counting. */
export const maxBytes = Number.MAX_SAFE_INTEGER;
/** Maximum names per device until the next commit, so that forged names cannot fill the memory. */
const maxTops = 20_000;

export function addHour(tally: DeviceTally, at: number): void {
  const hour = at - (at % hourMs);
  let minutes = tally.hours.get(hour);
  if (!minutes) tally.hours.set(hour, (minutes = new Int32Array(60)));
  const minute = Math.floor((at - hour) / minuteMs);
  minutes[minute] = (minutes[minute] ?? 0) + 1;
}

export function addType(part: DayPart, type: LogType, bytes: number): void {
  const count = part.types.get(type);
  if (count) {
    count.lines += 1;
    count.bytes += bytes;
  } else part.types.set(type, { lines: 1, bytes });
}

function addTop(
  tally: Pick<DeviceTally, 'tops'>,
  kind: TopKind,
  { day, hour }: LocalHour,
  name: string,
  facts: LogFacts,
): void {
  const key = `${day}${hour}${kind}${name}`;
  const { recv = 0, sent = 0, connections } = facts;
  const top = tally.tops.get(key);
  if (top) {
    top.recv = Math.min(top.recv + recv, maxBytes);
    top.sent = Math.min(top.sent + sent, maxBytes);
    top.connections += connections;
  } else if (tally.tops.size < maxTops) tally.tops.set(key, { kind, day, hour, name, recv, sent, connections });
}

/** Counts the site, application and country of a line. `names`: host names by address, from DNS answers. */
export function addFacts(
  tally: Pick<DeviceTally, 'tops'>,
  at: LocalHour,
  facts: LogFacts,
  names: ReadonlyMap<string, string>,
): void {
  if (facts.connections === 0 && !facts.recv && !facts.sent) return;
  const domain = facts.domain ?? (facts.destination === undefined ? undefined : names.get(facts.destination));
  const site = domain === undefined ? undefined : siteOf(domain);
  if (site) addTop(tally, 'website', at, site, facts);
  const application = applicationOf(facts, site);
  if (application) addTop(tally, 'application', at, application, facts);
  if (facts.country) addTop(tally, 'country', at, facts.country, facts);
}
