import { createHash } from 'node:crypto';
import type { FieldMapping } from '@portico/contract/integrations.ts';
import type { Stay } from '#features/visitors/public.ts';
import type { App } from '#lib/app.ts';
import { cutText } from '#lib/one-line.ts';
import { clean, isRealTime } from '../hotel/stays.ts';

/** `2026-11-20`, `2026-11-20T14:00:00` or `20.11.2026 14:00` as a local time; undefined for other texts. */
function localTime(text: string | null | undefined, atDayEnd: boolean): string | undefined {
  const match = /^(?:(\d{4})-(\d{2})-(\d{2})|(\d{1,2})[./](\d{1,2})[./](\d{4}))(?:[T ](\d{2}:\d{2}(?::\d{2})?))?/.exec(
    text?.trim() ?? '',
  );
  if (!match) return undefined;
  const [, year, month, day, day2, month2, year2, clock] = match;
  const date = `${year ?? year2}-${(month ?? month2)!.padStart(2, '0')}-${(day ?? day2)!.padStart(2, '0')}`;
  const time = `${date} ${clock ?? (atDayEnd ? '23:59:59' : '00:00:00')}`;
  return isRealTime(time) ? time : undefined;
}

/** The stay of a guest in a row. A row without a name, room or dates has none. */
export function stayOf(app: App, fields: FieldMapping, row: Record<string, string | null>): Stay[] {
  const written = (field: keyof FieldMapping) => (fields[field] && row[fields[field]]?.trim()) || null;
  const read = (field: keyof FieldMapping) => clean(written(field) ?? '') || null;
  const nameBy = (part: typeof read) => [part('firstname'), part('lastname')].filter(Boolean).join(' ');
  const name = nameBy(read);
  const room = read('room_number');
  const starts = localTime(read('session_start_at'), false);
  const ends = localTime(read('session_end_at'), true);
  if (!name || !room || !starts || !ends || ends <= starts) return [];
  const born = localTime(read('birth_date'), false)?.slice(0, 10);
  const idNumber = read('idNumber');
  // The room is not part of the id, because a guest who changes rooms is the same guest. The name is taken as it is written: the id
  // of a guest who is in the house must stay.
  const external_id = createHash('sha256')
    .update([nameBy(written).toLowerCase(), born ?? '', starts.slice(0, 10)].join('|'))
    .digest('hex')
    .slice(0, 32);
  return [
    {
      external_id,
      name: cutText(name, 120),
      room_number: cutText(room, 32),
      birth_date: born ? app.secrets.encrypt(born) : null,
      citizen_id: idNumber ? app.secrets.encrypt(idNumber.slice(0, 64)) : null,
      email: cutText(read('email')?.toLowerCase() ?? '', 254) || null,
      phone: cutText(read('phone') ?? '', 32) || null,
      starts,
      ends,
    },
  ];
}
