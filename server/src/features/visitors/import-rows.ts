import type { Language } from '@portico/contract/errors.ts';
import type { VisitorForm } from '@portico/contract/visitors.ts';
import { plainCell } from '#lib/csv.ts';
import { type CsvRecord, plainWord } from '#lib/csv-read.ts';
import { type Header, headers, type ImportColumn, importColumns, methods } from './csv-words.ts';

const taken: readonly Header[] = [...importColumns, 'signs_in_as'];

/** Common variants of the column headers. */
const alsoCalled: Partial<Record<string, Header>> = {
  adsoyad: 'name',
  fullname: 'name',
  mail: 'email',
  eposta: 'email',
  gsm: 'phone',
  cep: 'phone',
  user: 'username',
  sifre: 'password',
  tckimlikno: 'citizen_id',
  tckn: 'citizen_id',
  oda: 'room_number',
  room: 'room_number',
  profil: 'profile',
  profile: 'profile',
};

const known = new Map<string, Header>([
  ...Object.entries(alsoCalled as Record<string, Header>),
  ...Object.values(headers).flatMap(words =>
    Object.entries(words).map(([column, word]) => [plainWord(word), column as Header] as const),
  ),
]);

/** The position of each column in the file. */
export interface Columns {
  readonly at: ReadonlyMap<ImportColumn, { readonly index: number; readonly header: string }>;
  /** Headers that match no column. */
  readonly ignored: readonly string[];
}

export function matchColumns(header: CsvRecord): Columns {
  const at = new Map<ImportColumn, { index: number; header: string }>();
  const ignored: string[] = [];
  for (const [index, cell] of header.cells.entries()) {
    const title = cell.trim();
    const column = known.get(plainWord(title)) as ImportColumn | undefined;
    if (column && taken.includes(column) && !at.has(column)) at.set(column, { index, header: title });
    else if (title) ignored.push(title);
  }
  return { at, ignored };
}

/** The header of a column in the file, or its default. */
export const titleOf = ({ at }: Columns, column: ImportColumn, language: Language): string =>
  at.get(column)?.header ?? headers[language][column];

const slugs = new Map<string, string>(
  [methods.en, methods.tr].flatMap(words =>
    Object.entries(words).flatMap(([slug, word]) => [
      [plainWord(word), slug] as const,
      [plainWord(slug), slug] as const,
    ]),
  ),
);

/** `2026-11-20`, `20.11.2026` or `20/11/2026`, with or without a time, as numbers; undefined for anything else. */
function readDate(text: string) {
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[ T](\d{1,2}):(\d{2})(?::\d{2})?)?$/.exec(text);
  const local = /^(\d{1,2})[./](\d{1,2})[./](\d{4})(?: (\d{1,2}):(\d{2})(?::\d{2})?)?$/.exec(text);
  const [year, month, day] = iso ? [iso[1], iso[2], iso[3]] : local ? [local[3], local[2], local[1]] : [];
  if (year === undefined) return undefined;
  const [hour, minute] = (iso ?? local)!.slice(4, 6);
  return {
    year: Number(year),
    month: Number(month),
    day: Number(day),
    time: hour === undefined ? undefined : `${hour.padStart(2, '0')}:${minute}:00`,
    hour: Number(hour ?? 0),
    minute: Number(minute ?? 0),
  };
}

const pad = (value: number, length = 2) => String(value).padStart(length, '0');

/** A local time at the location. An end without a time is the end of the day. */
function localTime(text: string, last: boolean): string | undefined {
  const date = readDate(text);
  if (!date) return undefined;
  const { year, month, day, time, hour, minute } = date;
  const real = new Date(Date.UTC(year, month - 1, day));
  if (year < 2000 || real.getUTCMonth() !== month - 1 || real.getUTCDate() !== day) return undefined;
  if (hour > 23 || minute > 59) return undefined;
  return `${pad(year, 4)}-${pad(month)}-${pad(day)} ${time ?? (last ? '23:59:59' : '00:00:00')}`;
}

/** A line of the file as the input of the visitor form, and the columns that cannot be parsed. */
export interface Draft {
  readonly line: number;
  readonly input: Record<string, unknown>;
  /** The name of a session profile. */
  readonly profile: string;
  readonly validFrom: string | undefined;
  readonly validUntil: string | undefined;
  readonly unreadable: readonly ImportColumn[];
}

export function draftOf({ at }: Columns, { line, cells }: CsvRecord): Draft {
  const text = (column: ImportColumn): string => {
    const place = at.get(column);
    const cell = place ? (cells[place.index] ?? '') : '';
    // Removes the apostrophe with which exports escape formulas, and line breaks within a cell.
    return plainCell(cell.trim()).replace(/[\r\n]+\s*/g, ' ');
  };
  const orNull = (column: ImportColumn) => text(column) || null;
  const unreadable: ImportColumn[] = [];
  const typed = text('method');
  const method = typed ? (slugs.get(plainWord(typed)) ?? typed) : 'username';
  const known = (column: ImportColumn, when: string) =>
    orNull(column) ?? (method === when ? orNull('signs_in_as') : null);

  const born = text('birth_date') ? readDate(text('birth_date')) : undefined;
  if (text('birth_date') && !born) unreadable.push('birth_date');
  const time = (column: 'valid_from' | 'valid_until') => {
    const read = text(column) ? localTime(text(column), column === 'valid_until') : undefined;
    if (text(column) && !read) unreadable.push(column);
    return read;
  };
  return {
    line,
    profile: text('profile'),
    validFrom: time('valid_from'),
    validUntil: time('valid_until'),
    unreadable,
    input: {
      name: text('name'),
      provider_type: method,
      username: method === 'username' ? known('username', 'username') : null,
      password: method === 'username' ? orNull('password') : null,
      provider_id: method === 'citizen-id' ? known('citizen_id', 'citizen-id') : null,
      room_number: method === 'room-number' ? known('room_number', 'room-number') : null,
      idNumber: method === 'room-number' ? orNull('id_number') : null,
      birth_day: born?.day ?? null,
      birth_month: born?.month ?? null,
      birth_year: born?.year ?? null,
      email: orNull('email'),
      phone: orNull('phone'),
      total_paid_day: text('paid_days') || 0,
    },
  };
}

const columnOfField: Partial<Record<keyof VisitorForm, ImportColumn>> = {
  provider_type: 'method',
  provider_id: 'citizen_id',
  idNumber: 'id_number',
  birth_day: 'birth_date',
  birth_month: 'birth_date',
  birth_year: 'birth_date',
  profile_id: 'profile',
  total_paid_day: 'paid_days',
  session_start_at: 'valid_from',
  session_end_at: 'valid_until',
};

/** The column of a form field. */
export const columnOf = (field: string): ImportColumn =>
  columnOfField[field as keyof VisitorForm] ?? (field as ImportColumn);
