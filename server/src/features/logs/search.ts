import { createReadStream, existsSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import type { App } from '#lib/app.ts';
import { steadyNow } from '#lib/steady-clock.ts';
import { readHeader } from '#syslog/header.ts';
import type { LineProof } from '#syslog/proof.ts';
import { parseRecord } from '#syslog/record.ts';
import { listSegments, readChunk } from '#syslog/segments.ts';
import { deviceFolder, type Range, recordsOf, typeOf } from './archive.ts';
import { localDay } from './local-day.ts';
import { filesOfDays, type StoredFile } from './logs.queries.ts';

/** How much one request may read, over all its searches. `reached`: there was more, or a file was missing. */
export interface Limits {
  bytes: number;
  until: number;
  reached: boolean;
}

export interface FoundLine {
  readonly at: number;
  readonly type: string;
  /** The stored record, with time and sender, one character per byte. */
  readonly text: string;
  /** The proof of the line's device; undefined for lines of 0.5.0 and before. */
  readonly proof: LineProof | undefined;
  /** The line's message, without its syslog header. */
  readonly message: string;
  /** The brand of the device at that time; undefined: unknown. */
  readonly brand: string | undefined;
}

interface Search {
  readonly tenantId: string;
  readonly device: { readonly id: string; readonly time_zone: string };
  readonly type: 'firewall' | 'dhcp';
  /** Milliseconds since 1970, inclusive. */
  readonly from: number;
  readonly to: number;
  /** Lines without this text are skipped. */
  readonly contains: string;
  readonly matches: (line: FoundLine) => boolean;
  readonly limit: number;
  /** The limit is for each of these groups, so that the many lines of one do not push out those of another. */
  readonly groupOf?: (line: FoundLine) => string;
  /** Whether the first lines of its group are kept instead of the last. */
  readonly keepsFirst?: (line: FoundLine) => boolean;
  /** Only the lines with the lowest rank are kept, so that lines which others could send do not push out stronger ones. */
  readonly rankOf?: (line: FoundLine) => number;
}

/** Lines of more groups are not kept: anyone who may send lines could invent them. */
const maxGroups = 1000;

/**
 * The clock may have been set back so far while lines were taken: those of the time before then stand behind later ones. Larger
 * steps are rare, and reading on for each search would cost more.
 */
const setBackMs = 5 * 60_000;

/** The last or first lines of each group with the lowest rank, in their order. */
function createKept(
  { limit, groupOf, keepsFirst, rankOf }: Pick<Search, 'limit' | 'groupOf' | 'keepsFirst' | 'rankOf'>,
  limits: Limits,
) {
  const groups = new Map<string, { readonly number: number; readonly line: FoundLine }[]>();
  let lowest = Number.POSITIVE_INFINITY;
  let number = 0;
  let overflowed = false;
  return {
    add(line: FoundLine): void {
      const rank = rankOf?.(line) ?? 0;
      if (rank > lowest) return;
      if (rank < lowest) {
        groups.clear();
        overflowed = false;
      }
      lowest = rank;
      const key = groupOf?.(line) ?? '';
      const group = groups.get(key) ?? [];
      if (group.length === 0 && groups.size >= maxGroups) {
        overflowed = true;
        return;
      }
      groups.set(key, group);
      if (group.length >= limit && keepsFirst?.(line)) return;
      group.push({ number: number++, line });
      if (group.length > limit) group.shift();
    },
    lines(): FoundLine[] {
      if (overflowed) limits.reached = true;
      const all = [...groups.values()].flat();
      return all.sort((a, b) => a.number - b.number).map(({ line }) => line);
    },
  };
}

/** Searches the legal record of a device, sealed or not. Returns the last or first `limit` matches of each group, in their order. */
export async function searchLines(app: App, search: Search, limits: Limits): Promise<FoundLine[]> {
  const { time_zone } = search.device;
  const days = { from: localDay(search.from, time_zone), to: localDay(search.to, time_zone) };
  const files = await app.db.withTenant(search.tenantId, tx => filesOfDays(tx, search.device.id, search.type, days));
  const folder = deviceFolder(app.settings.DATA_DIR, search.tenantId, search.device.id);
  const first = new Date(search.from).toISOString();
  const last = new Date(search.to).toISOString();
  const end = new Date(search.to + setBackMs).toISOString();
  const kept = createKept(search, limits);
  for (const file of files)
    for await (const records of recordsIn(folder, file, search.from, limits)) {
      limits.bytes -= records.reduce((sum, record) => sum + record.length, 0);
      if (limits.bytes <= 0 || steadyNow() > limits.until) {
        limits.reached = true;
        return kept.lines();
      }
      for (const record of records) {
        // A record begins with its time in a format that sorts by time.
        const time = record.slice(0, 24);
        if (time < first || time > last || !record.includes(search.contains)) continue;
        const found = parseFound(record.replace(/\n$/, ''), search.type, file);
        if (found && search.matches(found)) kept.add(found);
      }
      // Reading a sealed file would block the event loop otherwise.
      await setImmediate();
      if ((records.at(-1) ?? '') > end) break;
    }
  return kept.lines();
}

function parseFound(text: string, type: string, file: StoredFile): FoundLine | undefined {
  const record = parseRecord(text);
  if (!record) return undefined;
  const brand = file.brand ?? undefined;
  if (!file.path && typeOf(text, brand) !== type) return undefined;
  const proof = record.origin?.proof;
  return { at: record.at, type, text, proof, message: record.line.slice(readHeader(record.line).bodyAt), brand };
}

async function* recordsIn(folder: string, file: StoredFile, from: number, limits: Limits): AsyncGenerator<string[]> {
  const at = path.join(folder, file.path ?? 'raw');
  if (!existsSync(at)) {
    limits.reached = true;
    return;
  }
  if (file.path) yield* sealedRecords(at);
  else yield* recordsOf(at, { ...file, start_position: await positionBefore(at, file, from - setBackMs) });
}

async function* sealedRecords(file: string): AsyncGenerator<string[]> {
  let rest = '';
  for await (const bytes of createReadStream(file).pipe(createGunzip())) {
    const lines = (rest + (bytes as Buffer).toString('latin1')).split('\n');
    rest = lines.pop() ?? '';
    yield lines;
  }
  if (rest) yield [rest];
}

const maxDistance = 1 << 20;

/** A position in a raw stream at or shortly before the lines of a time. A binary search, because lines are nearly in the order of time. */
async function positionBefore(folder: string, range: Range, at: number): Promise<number> {
  const segments = await listSegments(folder);
  let low = range.start_position;
  for (let high = range.end_position; high - low > maxDistance; ) {
    const middle = Math.floor((low + high) / 2);
    const chunk = await readChunk(segments, middle, high, 65_536);
    const text = chunk?.bytes.toString('latin1') ?? '';
    // The first line is incomplete.
    const record = parseRecord(text.slice(text.indexOf('\n') + 1, text.indexOf('\n') + 400).split('\n', 1)[0] ?? '');
    if (record && record.at < at) low = middle;
    else high = middle;
  }
  return low;
}
