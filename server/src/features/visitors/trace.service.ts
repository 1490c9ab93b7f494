import type { Tx } from '#db/tenant.ts';
import { audit, type Entry } from '#features/audit/public.ts';
import type { Actor } from '#http/actor.ts';
import type { StoredVisitor } from './visitors.queries.ts';

/** The audit log outlives the visitor, so it tells the visitor by initials only. */
export const initials = (name: string): string => name.replace(/([\p{L}\p{N}])\S*/gu, '$1•••');

/** Writes down what was done to a visitor. */
export const trace = (
  tx: Tx,
  actor: Actor,
  verb: Entry['verb'],
  row: StoredVisitor,
  what: Pick<Entry, 'before' | 'after'>,
): Promise<void> =>
  audit(tx, actor, {
    verb,
    subject: { type: 'visitor', id: row.id, name: initials(row.name) },
    locationId: row.location_id,
    deviceId: row.device?.id,
    ...what,
  });

const personal = ['name', 'email', 'phone', 'username', 'room_number'] as const;
const settings = [
  'provider_type',
  'profile',
  'special_profile',
  'shared_user',
  'session_duration',
  'max_upload',
  'max_download',
  'session_start_at',
  'session_end_at',
  'total_paid_day',
  'paid_end_at',
  'blocked',
  'location',
] as const;
const settingsOf = (row: StoredVisitor) => Object.fromEntries(settings.map(key => [key, row[key]]));

/** True when something changed that a running session goes by. */
export const settingsDiffer = (before: StoredVisitor, after: StoredVisitor): boolean =>
  JSON.stringify(settingsOf(before)) !== JSON.stringify(settingsOf(after));

/** What changed; of what is about the person only that it did. */
export const changed = (before: StoredVisitor, after: StoredVisitor): Pick<Entry, 'before' | 'after'> => ({
  before: { ...settingsOf(before), personal: [] },
  after: { ...settingsOf(after), personal: personal.filter(key => before[key] !== after[key]) },
});
