import type { FiasConnection } from '@portico/contract/integration-kinds.ts';
import { toCodePage } from '#lib/code-page.ts';

/** The records of FIAS: `GI|RN101|G#4711|GNSmith|`, each between STX and ETX. */

const stx = 0x02;
const etx = 0x03;
const separator = 0x7c;
const space = 0x20;
/** A longer record is dropped. Real ones have a few hundred bytes. */
const maxBytes = 8192;
const maxValue = 200;

export type Encoding = FiasConnection['encoding'];

export interface FiasRecord {
  /** Two letters, such as `GI`. */
  readonly type: string;
  /** By field id, without control characters. An empty field is left out. */
  readonly fields: Readonly<Record<string, string>>;
}

const clean = (text: string): string => text.replace(/\p{C}/gu, '').trim().slice(0, maxValue);

/** The text of a record. Bytes that are not UTF-8 where it was agreed are read as Turkish Windows. */
function decode(bytes: Uint8Array, encoding: Encoding): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1254').decode(bytes);
  }
}

/** Undefined for text that is no record. */
export function parseRecord(bytes: Uint8Array, encoding: Encoding): FiasRecord | undefined {
  const [type, ...parts] = decode(bytes, encoding).split('|');
  if (!type || !/^[A-Z]{2}$/.test(type)) return undefined;
  const fields = parts.map(part => [part.slice(0, 2), clean(part.slice(2))] as const);
  return { type, fields: Object.fromEntries(fields.filter(([id, value]) => /^[A-Z][A-Z0-9#+]$/.test(id) && value)) };
}

/** A value as bytes. A code page may write another character as the separator, so the bytes are cleaned, not the text. */
function bytesOf(value: string | number, encoding: Encoding): Buffer {
  const text = String(value).replace(/\p{C}/gu, ' ');
  const bytes = encoding === 'utf-8' ? Buffer.from(text) : toCodePage(text, encoding);
  return bytes.map(byte => (byte === separator || byte < space ? space : byte)) as Buffer;
}

/** A record as bytes. The separator and control characters cannot be part of a value. */
export function writeRecord(
  type: string,
  fields: readonly (readonly [id: string, value: string | number])[],
  encoding: Encoding,
): Buffer {
  const parts = fields.flatMap(([id, value]) => [Buffer.from(`|${id}`), bytesOf(value, encoding)]);
  return Buffer.concat([Buffer.from([stx]), Buffer.from(type), ...parts, Buffer.from([separator, etx])]);
}

/** Cuts a stream into records. Text outside STX and ETX, half a record and one that is too long are dropped. */
export class Frames {
  private parts: number[] | undefined;

  *push(chunk: Uint8Array): Generator<Uint8Array> {
    for (const byte of chunk) {
      if (byte === stx) this.parts = [];
      else if (byte === etx) {
        if (this.parts) yield Uint8Array.from(this.parts);
        this.parts = undefined;
      } else if (this.parts && this.parts.push(byte) > maxBytes) this.parts = undefined;
    }
  }
}

/** `241120`, as FIAS writes days, as `2024-11-20`. */
export function dayOf(text: string | undefined): string | undefined {
  const match = /^(\d{2})(\d{2})(\d{2})$/.exec(text ?? '');
  if (!match) return undefined;
  const day = `20${match[1]}-${match[2]}-${match[3]}`;
  const time = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(day) ? day : undefined;
}

/** A birth date in a free field: `1980-02-01`, `01.02.1980`, `19800201` or `800201`. */
export function birthDateOf(text: string | undefined, today: string): string | undefined {
  const match =
    /^(?<y>\d{4})-?(?<m>\d{2})-?(?<d>\d{2})$/.exec(text ?? '') ??
    /^(?<d>\d{1,2})[./](?<m>\d{1,2})[./](?<y>\d{4})$/.exec(text ?? '') ??
    /^(?<y>\d{2})(?<m>\d{2})(?<d>\d{2})$/.exec(text ?? '');
  if (!match) return undefined;
  const { y = '', m = '', d = '' } = match.groups!;
  const century = y.length === 4 ? '' : `20${y}` > today.slice(0, 4) ? '19' : '20';
  const day = `${century}${y}-${m.padStart(2, '0')}-${d.padStart(2, '0')}`;
  const time = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(day) && day <= today ? day : undefined;
}

/** The date and time fields of a record, at the clocks of the hotel. */
export function stamp(timeZone: string, at = new Date()): (readonly [string, string])[] {
  const local = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    ...{ year: '2-digit', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' },
  })
    .format(at)
    .replace(/\D/g, '');
  return [
    ['DA', local.slice(0, 6)],
    ['TI', local.slice(6, 12)],
  ];
}
