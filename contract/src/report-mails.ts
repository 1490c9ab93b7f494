import { z } from 'zod';
import { changeOf } from './change.ts';
import { endpoint, one, page } from './endpoint.ts';
import { languages } from './errors.ts';
import { email, id, idParams, locationRef, name, ofLocations, pageQuery, time } from './fields.ts';

export const mailedReports = ['visits', 'sessions', 'sales'] as const;
export type MailedReport = (typeof mailedReports)[number];
export const mailFrequencies = ['weekly', 'monthly'] as const;

/** Reports of a location that are mailed as CSV, after each week or month. */
export const reportMailForm = z.object({
  location_id: locationRef,
  name,
  frequency: z.enum(mailFrequencies),
  reports: z
    .array(z.enum(mailedReports))
    .min(1)
    .max(mailedReports.length)
    .transform(list => mailedReports.filter(report => list.includes(report))),
  recipients: z
    .array(email)
    .min(1)
    .max(20)
    .transform(list => [...new Set(list)]),
  language: z.enum(languages),
  is_active: z.boolean().default(true),
});
export type ReportMailForm = z.output<typeof reportMailForm>;

const reportMailChange = changeOf(reportMailForm.omit({ location_id: true }));
export type ReportMailChange = z.output<typeof reportMailChange>;

export const reportMail = reportMailForm.extend({
  id,
  location_id: id,
  location: z.object({ id, name: z.string() }),
  /** Contains names and phones of guests, because its last editor may see visitors. */
  with_names: z.boolean(),
  last_sent_at: time.nullable(),
  created_at: time,
});
export type ReportMail = z.output<typeof reportMail>;

export const reportMailsApi = {
  list: endpoint({
    method: 'GET',
    path: '/v1/panel/reports/mail',
    access: 'update-location',
    summary: 'Reports sent by mail',
    query: z.object({ ...pageQuery(), ...ofLocations() }),
    reply: page(reportMail),
  }),
  create: endpoint({
    method: 'POST',
    path: '/v1/panel/reports/mail',
    access: 'update-location',
    summary: 'Create a mailed report; the first mail is sent when the current week or month has ended',
    body: reportMailForm,
    reply: one(reportMail),
    status: 201,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/v1/panel/reports/mail/:id',
    access: 'update-location',
    summary: 'Change a mailed report',
    params: idParams,
    body: reportMailChange,
    reply: one(reportMail),
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/v1/panel/reports/mail/:id',
    access: 'update-location',
    summary: 'Delete a mailed report',
    params: idParams,
    reply: 'none',
  }),
} as const;
