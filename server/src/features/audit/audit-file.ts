import type { AuditEntry } from '@portico/contract/audit.ts';
import type { Language } from '@portico/contract/errors.ts';
import type { Actor } from '#http/actor.ts';
import type { Context } from '#http/call.ts';
import { csvLine } from '#lib/csv.ts';
import { type AuditFilter, entriesBefore } from './audit.queries.ts';
import { exportRows } from './export-rows.ts';

const header: Record<Language, readonly string[]> = {
  en: ['Time', 'User', 'E-mail', 'IP', 'What', 'Kind', 'Name', 'Location', 'Before', 'After'],
  tr: ['Zaman', 'Kullanıcı', 'E-posta', 'IP', 'İşlem', 'Tür', 'Ad', 'Lokasyon', 'Önce', 'Sonra'],
};

const line = (it: AuditEntry): string =>
  csvLine([
    it.created_at,
    it.user.name,
    it.user.email,
    it.ip,
    it.verb,
    it.subject.type,
    it.subject.name,
    it.location?.name ?? it.location?.id ?? null,
    it.before && JSON.stringify(it.before),
    it.after && JSON.stringify(it.after),
  ]);

/** All entries that the actor may see as CSV. */
export const exportEntries = (call: Context, actor: Actor, filter: AuditFilter): AsyncGenerator<string> =>
  exportRows<AuditEntry>(call, actor, {
    subject: { type: 'audit-log', name: 'audit-log.csv' },
    locationId: filter.location_id ?? actor.activeLocationId,
    header: header[call.language],
    next: (tx, after, limit) => entriesBefore(tx, actor, filter, after?.id ?? null, limit),
    line,
  });
