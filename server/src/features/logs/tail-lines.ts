import type { LogTailEvent, logLineTypes } from '@portico/contract/logs.ts';
import { parseRecord } from '#syslog/record.ts';
import { typeOf } from './archive.ts';

export interface TailFilter {
  readonly brand: string;
  /** Undefined or empty: all types. */
  readonly types: readonly (typeof logLineTypes)[number][] | undefined;
  /** A part of the line; case is ignored. */
  readonly search: string | undefined;
}

type Line = LogTailEvent['lines'][number];

/** The lines of a chunk that match a filter, as text. Invalid UTF-8 becomes replacement characters. */
export function matchingLines(bytes: Buffer, { brand, types, search }: TailFilter): Line[] {
  const wanted = search?.toLowerCase();
  return bytes
    .toString('latin1')
    .split('\n')
    .flatMap(raw => {
      const record = parseRecord(raw);
      if (!record) return [];
      const type = typeOf(raw, brand);
      if (types?.length && !types.includes(type)) return [];
      const text = Buffer.from(record.line, 'latin1').toString('utf8');
      if (wanted && !text.toLowerCase().includes(wanted)) return [];
      return [{ at: new Date(record.at).toISOString(), source: record.source, type, text }];
    });
}
