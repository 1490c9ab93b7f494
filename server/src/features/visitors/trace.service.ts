import type { Tx } from '#db/tenant.ts';
import { audit, type Entry } from '#features/audit/public.ts';
import type { Actor } from '#http/actor.ts';
import type { StoredVisitor } from './visitors.queries.ts';

/** The audit log shows initials only, because it is kept longer than the visitor. */
export const initials = (name: string): string => name.replace(/([\p{L}\p{N}])\S*/gu, '$1•••');

/** Adds an entry about a visitor to the audit log. */
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

/** Whether settings changed that affect running sessions. */
export const settingsDiffer = (before: StoredVisitor, after: StoredVisitor): boolean =>
  JSON.stringify(settingsOf(before)) !== JSON.stringify(settingsOf(after));

/** The changes for the audit log: the values of settings, but only the names of personal fields. */
export const changed = (before: StoredVisitor, after: StoredVisitor): Pick<Entry, 'before' | 'after'> => ({
  before: { ...settingsOf(before), personal: [] },
  after: { ...settingsOf(after), personal: personal.filter(key => before[key] !== after[key]) },
});
