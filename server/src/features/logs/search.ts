import { createReadStream, existsSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import type { App } from '#lib/app.ts';
import { readHeader } from '#syslog/header.ts';
import type { LineProof } from '#syslog/proof.ts';
import { parseRecord } from '#syslog/record.ts';
import { listSegments, readChunk } from '#syslog/segments.ts';
import { deviceFolder, type Range, recordsOf, typeOf } from './archive.ts';
import { localDay } from './local-day.ts';
import { filesOfDays, type StoredFile } from './logs.queries.ts';

/** How much one question may read, over all its searches; `reached` once there was more, or a file was not there. */
export interface Limits {
  bytes: number;
  until: number;
  reached: boolean;
}

export interface Found {
  readonly at: number;
  readonly type: string;
  /** The line as it was kept, with its time and sender, one character per byte. */
  readonly text: string;
  /** What ties the line to its device; undefined for lines of 0.5.0 and before. */
  readonly proof: LineProof | undefined;
  /** The line's message, without its syslog header. */
  readonly message: string;
}

interface Search {
  readonly tenantId: string;
  readonly device: { readonly id: string; readonly time_zone: string };
  readonly type: 'firewall' | 'dhcp';
  /** Milliseconds since 1970, both included. */
  readonly from: number;
  readonly to: number;
  /** Only lines with this text in them are looked at. */
  readonly holds: string;
  readonly keep: (found: Found) => boolean;
  readonly limit: number;
}

/** Lines of the legal record of a device, sealed or not yet, in their order; the last `limit` of those that are kept. */
export async function searchLines(app: App, search: Search, limits: Limits): Promise<Found[]> {
  const { time_zone } = search.device;
  const days = { from: localDay(search.from, time_zone), to: localDay(search.to, time_zone) };
  const files = await app.db.withTenant(search.tenantId, tx => filesOfDays(tx, search.device.id, search.type, days));
  const folder = deviceFolder(app.settings.DATA_DIR, search.tenantId, search.device.id);
  const first = new Date(search.from).toISOString();
  const last = new Date(search.to).toISOString();
  const kept: Found[] = [];
  for (const file of files)
    for await (const records of recordsIn(folder, file, search.from, limits)) {
      limits.bytes -= records.reduce((sum, record) => sum + record.length, 0);
      if (limits.bytes <= 0 || Date.now() > limits.until) {
        limits.reached = true;
        return kept;
      }
      for (const record of records) {
        // A record begins with its time, whose text sorts as the time does.
        const time = record.slice(0, 24);
        if (time < first || time > last || !record.includes(search.holds)) continue;
        const found = look(record.replace(/\n$/, ''), search.type, file);
        if (!found || !search.keep(found)) continue;
        kept.push(found);
        if (kept.length > search.limit) kept.shift();
      }
      // Sealed lines come out of the file faster than anything else gets its turn.
      await setImmediate();
      if ((records.at(-1) ?? '') > last) break;
    }
  return kept;
}

function look(text: string, type: string, file: StoredFile): Found | undefined {
  const record = parseRecord(text);
  if (!record) return undefined;
  if (!file.path && typeOf(text, file.brand ?? undefined) !== type) return undefined;
  const proof = record.origin?.proof;
  return { at: record.at, type, text, proof, message: record.line.slice(readHeader(record.line).bodyAt) };
}

async function* recordsIn(folder: string, file: StoredFile, from: number, limits: Limits): AsyncGenerator<string[]> {
  const at = path.join(folder, file.path ?? 'raw');
  if (!existsSync(at)) {
    limits.reached = true;
    return;
  }
  if (file.path) yield* sealedRecords(at);
  else yield* recordsOf(at, { ...file, start_position: await positionOf(at, file, from) });
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

const nearEnough = 1 << 20;

/** Where in a raw stream the lines of a moment begin, or a little before: found by halving, as lines lie in the order of their times. */
async function positionOf(folder: string, range: Range, at: number): Promise<number> {
  const segments = await listSegments(folder);
  let low = range.start_position;
  for (let high = range.end_position; high - low > nearEnough; ) {
    const middle = Math.floor((low + high) / 2);
    const chunk = await readChunk(segments, middle, high, 65_536);
    const text = chunk?.bytes.toString('latin1') ?? '';
    // The first line is cut in two.
    const record = parseRecord(text.slice(text.indexOf('\n') + 1, text.indexOf('\n') + 400).split('\n', 1)[0] ?? '');
    if (record && record.at < at) low = middle;
    else high = middle;
  }
  return low;
}
