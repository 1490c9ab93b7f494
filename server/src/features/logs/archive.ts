import path from 'node:path';
import type { LogType } from '#routers/log-line.ts';
import { parseLogLine } from '#routers/log-lines.ts';
import { readHeader } from '#syslog/header.ts';
import { parseRecord } from '#syslog/record.ts';
import { listSegments, readChunk } from '#syslog/segments.ts';

/** The folder of a device: `raw/` with the latest lines, `files/` with the sealed days, and their chain. */
export const deviceFolder = (dataDir: string, tenantId: string, deviceId: string): string =>
  path.join(dataDir, 'logs', tenantId, deviceId);

/** `2026-10-21-firewall.log.gz`; a further part of the same day has its number in the name. */
export const fileName = ({ day, part, type }: { day: string; part: number; type: string }): string =>
  `${day}-${type}${part > 1 ? `-${part}` : ''}.log.gz`;

/** The type of a stored record. */
export function typeOf(record: string, brand: string | undefined): LogType {
  const line = parseRecord(record)?.line;
  if (line === undefined) return 'other';
  try {
    return parseLogLine(brand, line.slice(readHeader(line).bodyAt)).type;
  } catch {
    return 'other';
  }
}

export interface Range {
  readonly start_position: number;
  readonly end_position: number;
}

/** The records of a range of a raw stream, in batches. Each has one character per byte and ends with a newline. */
export async function* recordsOf(folder: string, { start_position, end_position }: Range): AsyncGenerator<string[]> {
  for (let at = start_position; at < end_position; ) {
    const chunk = await readChunk(await listSegments(folder), at, end_position);
    if (!chunk) return;
    const text = chunk.bytes.toString('latin1');
    yield text
      .split('\n')
      .slice(0, -1)
      .map(record => `${record}\n`);
    if (!text.endsWith('\n')) yield [`${text.slice(text.lastIndexOf('\n') + 1)}\n`];
    at = chunk.end;
  }
}

/** The lines of one type in a range, as bytes. */
export async function* linesOfType(
  folder: string,
  range: Range,
  type: string,
  brand: string | undefined,
): AsyncGenerator<Buffer> {
  for await (const records of recordsOf(folder, range)) {
    const matching = records.filter(record => typeOf(record.slice(0, -1), brand) === type);
    if (matching.length > 0) yield Buffer.from(matching.join(''), 'latin1');
  }
}
