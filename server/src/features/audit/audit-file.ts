import type { AuditEntry } from '@portico/contract/audit.ts';
import { auditKindText, auditVerbText } from '@portico/contract/audit-texts.ts';
import type { Language } from '@portico/contract/errors.ts';
import type { Actor } from '#http/actor.ts';
import type { Context } from '#http/call.ts';
import { csvLine } from '#lib/csv.ts';
import { localText } from '#lib/moments.ts';
import { type AuditFilter, entriesBefore } from './audit.queries.ts';
import { exportRows } from './export-rows.ts';

const header: Record<Language, readonly string[]> = {
  en: ['Time', 'User', 'E-mail', 'IP', 'Action', 'Type', 'Name', 'Location', 'Before', 'After'],
  tr: ['Zaman', 'Kullanıcı', 'E-posta', 'IP', 'İşlem', 'Tür', 'Ad', 'Lokasyon', 'Önce', 'Sonra'],
};

const line = (it: AuditEntry, language: Language, timeZone: string): string =>
  csvLine([
    localText(Date.parse(it.created_at), timeZone),
    it.user.name,
    it.user.email,
    it.ip,
    auditVerbText(language, it.verb, it.subject.type),
    auditKindText(language, it.subject.type),
    it.subject.name,
    it.location?.name ?? it.location?.id ?? null,
    it.before && JSON.stringify(it.before),
    it.after && JSON.stringify(it.after),
  ]);

/** All entries that the actor may see as CSV, with the clock and the words of the screen. */
export function exportEntries(call: Context, actor: Actor, filter: AuditFilter): AsyncGenerator<string> {
  const { language } = call;
  const [time, ...others] = header[language];
  return exportRows<AuditEntry>(call, actor, {
    subject: { type: 'audit-log', name: 'audit-log.csv' },
    filter,
    header: [`${time} (${actor.timeZone})`, ...others],
    next: (tx, after, limit) => entriesBefore(tx, actor, filter, after?.id ?? null, limit),
    line: it => line(it, language, actor.timeZone),
  });
}
