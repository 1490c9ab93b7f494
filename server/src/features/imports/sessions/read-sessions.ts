import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import { sessionFile, type sessionSkips } from '@portico/contract/import-kinds.ts';
import { formatMac, isMac } from '@portico/contract/mac.ts';
import { Unreadable } from '../read/reading.ts';
import { type More, readSqlDump, type SqlRow } from '../read/sql-dump.ts';
import { readMoment } from '../read/values.ts';

export type SessionSkip = (typeof sessionSkips)[number];

/** A session as it waits to be imported. The names are short, because a file has millions. */
export interface PastSession {
  /** A hash of AcctUniqueId in base64. */
  readonly k: string;
  readonly u: string;
  readonly m: string | null;
  readonly i: string | null;
  readonly n: string;
  /** Start and stop: local times of the location, or moments that end in Z. */
  readonly s: string;
  readonly e: string;
  /** Seconds and bytes as digits, which may be more than a number holds exactly. */
  readonly t: string | null;
  readonly up: string;
  readonly dn: string;
  readonly c: string;
}

/** The findings besides the sessions themselves. */
export interface SessionFindings {
  total: number;
  withoutMac: number;
  readonly skipped: Partial<Record<SessionSkip, { count: number; line: number }>>;
}

const tables = new Set(['radacct']);
const chunk = 2000;
const dayMs = 86_400_000;

/** A text that a column and a screen can hold. */
const plain = (value: string, max: number): string =>
  value
    .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
    .slice(0, max)
    .toWellFormed()
    .normalize('NFC');

const digits = (value: string | null | undefined): string | null =>
  value && /^\d{1,18}$/.test(value.trim()) ? value.trim() : null;

/** Milliseconds. Two local times compare, but a local time and a moment differ by the zone, which is not known here. */
const at = (time: string): number => Date.parse(time.endsWith('Z') ? time : `${time.replace(' ', 'T')}Z`);

function sessionOf({ values }: SqlRow, now: number): PastSession | SessionSkip {
  const text = (column: string): string => values[column]?.trim() ?? '';
  const starts = readMoment(text('acctstarttime'));
  const stop = text('acctstoptime');
  if (!stop || stop.startsWith('0000-')) return 'open';
  const ends = readMoment(stop);
  if (!starts || !ends || at(ends) < at(starts) || at(ends) > now + (ends.endsWith('Z') ? 0 : dayMs)) return 'dates';
  const typed = formatMac(text('callingstationid').slice(0, 17));
  const mac = isMac(typed) ? typed : null;
  const user = plain(text('username'), 253);
  if (!user && !mac) return 'guest';
  const address = text('framedipaddress');
  const ip = isIP(address) ? address : text('framedipv6address');
  const nas = plain(text('nasipaddress'), 64);
  const source = text('acctuniqueid') || [text('acctsessionid'), user, nas, starts].join('\n');
  return {
    k: createHash('sha256').update(source).digest().subarray(0, 16).toString('base64'),
    u: user,
    m: mac,
    i: isIP(ip) && !ip.includes('%') ? ip : null,
    n: nas,
    s: starts,
    e: ends,
    t: digits(values['acctsessiontime']),
    up: digits(values['acctinputoctets']) ?? '0',
    dn: digits(values['acctoutputoctets']) ?? '0',
    c: plain(text('acctterminatecause'), 64),
  };
}

/** Reads the sessions of a dump in lists of equal length. A second reading of the file gives the same lists. */
export function* readSessions(more: More, findings: SessionFindings, now: number): Generator<PastSession[]> {
  let list: PastSession[] = [];
  for (const row of readSqlDump(more() ?? '', tables, more)) {
    if (row.values['acctstarttime'] === undefined) throw new Unreadable('session_columns');
    findings.total += 1;
    if (findings.total > sessionFile.sessions) throw new Unreadable('session_rows', { limit: sessionFile.sessions });
    const session = sessionOf(row, now);
    if (typeof session === 'string') {
      const known = findings.skipped[session];
      findings.skipped[session] = { count: (known?.count ?? 0) + 1, line: known?.line ?? row.line };
      continue;
    }
    if (session.m === null) findings.withoutMac += 1;
    list.push(session);
    if (list.length === chunk) {
      yield list;
      list = [];
    }
  }
  if (list.length > 0) yield list;
  if (findings.total === 0) throw new Unreadable('session_none');
}
