import { z } from 'zod';
import { auditVerbs } from './audit-words.ts';
import { endpoint, page } from './endpoint.ts';
import { calendarDay, id, pageQuery, queryFlag, text, time } from './fields.ts';

/** Who changed what, and from which address. `before` and `after` contain the changed values, with secrets masked. */
export const auditEntry = z.object({
  id,
  created_at: time,
  user: z.object({ id: id.nullable(), name: z.string(), email: z.string() }),
  ip: z.string().nullable(),
  verb: z.enum(auditVerbs),
  subject: z.object({ type: z.string(), id: z.string().nullable(), name: z.string() }),
  location: z.object({ id, name: z.string().nullable() }).nullable(),
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
});
export type AuditEntry = z.output<typeof auditEntry>;

const day = z.union([z.iso.datetime({ offset: true }), calendarDay], 'date').refine(at => at >= '0001', 'date');

export const auditApi = {
  list: endpoint({
    method: 'GET',
    path: '/v1/panel/audit',
    access: 'read-location',
    summary: 'The audit log, newest first; `download=true` returns CSV',
    query: z.object({
      ...pageQuery(),
      start_at: day.optional(),
      end_at: day.optional(),
      user_id: id.optional(),
      location_id: id.optional(),
      verb: z.enum(auditVerbs).optional(),
      subject_type: text.optional(),
      /** Entries of one object only. */
      subject_id: id.optional(),
      search: text.optional(),
      download: queryFlag.optional(),
    }),
    csvDownload: true,
    reply: page(auditEntry),
  }),
} as const;
