import type { Language } from '@portico/contract/errors.ts';
import type { MailedReport } from '@portico/contract/report-mails.ts';
import type { Tx } from '#db/tenant.ts';
import type { App } from '#lib/app.ts';
import { byteOrderMark, csvLine } from '#lib/csv.ts';
import { eachApart } from '#lib/each-apart.ts';
import { panelLink } from '#mail/links.ts';
import type { Attachment } from '#mail/mails.ts';
import { queueMail } from '#mail/outbox.ts';
import { claimDue, type DueMail, listDue } from './report-mails.queries.ts';
import { maxRows, saleRows, sessionRows, visitRows } from './report-tables.queries.ts';

/** Mails every report whose week or month has ended. A failure does not affect other reports. */
export const reportMailJobs = [{ name: 'mail reports', everyMs: 300_000, run: mailReports }];

async function mailReports(app: App): Promise<void> {
  const due = await app.db.withSystem(listDue);
  await eachApart(app, due, ({ tenant_id, id }) => app.db.withTenant(tenant_id, tx => mailOne(tx, app, id)));
}

/** Claims the period and queues its mails in one transaction, so that each mail is sent exactly once. */
async function mailOne(tx: Tx, app: App, id: string): Promise<void> {
  const due = await claimDue(tx, id);
  if (!due) return;
  const attachments: Attachment[] = [];
  let truncated = false;
  for (const report of due.reports) {
    const rows = await tables[report](tx, due);
    truncated ||= rows.length > maxRows;
    const lines = [headers[report][due.language], ...rows.slice(0, maxRows)].map(csvLine);
    attachments.push({ name: fileName(due, report), type: 'text/csv', text: `${byteOrderMark}${lines.join('')}` });
  }
  const data = {
    ...{ name: due.name, location: due.location, from: due.first_day, to: due.last_day, frequency: due.frequency },
    most: truncated ? maxRows : 0,
    link: panelLink(app.settings, due.slug, '/reports/mails'),
    attachments,
  };
  for (const to of due.recipients) await queueMail(tx, app, { to, language: due.language, template: 'report', data });
}

const tables: Record<
  MailedReport,
  (tx: Tx, due: DueMail) => Promise<readonly (readonly (string | number | null)[])[]>
> = {
  visits: visitRows,
  sessions: (tx, due) => sessionRows(tx, due, due.with_names),
  sales: (tx, due) => saleRows(tx, due, due.with_names),
};

const names: Record<MailedReport, string> = { visits: 'visits', sessions: 'session-reports', sales: 'sales' };
const fileName = (due: DueMail, report: MailedReport): string =>
  `${names[report]}-${due.first_day}-${due.last_day}.csv`;

const headers: Record<MailedReport, Record<Language, readonly string[]>> = {
  visits: {
    en: ['Day', 'Visits', 'Guests', 'Download (MB)', 'Upload (MB)', 'Failed sign-ins'],
    tr: ['Gün', 'Ziyaret', 'Misafir', 'İndirme (MB)', 'Yükleme (MB)', 'Başarısız giriş'],
  },
  sessions: {
    en: ['User', 'Phone', 'MAC', 'IP', 'Session start', 'Session end', 'Total download (MB)', 'Total upload (MB)'],
    tr: [
      'Kullanıcı',
      'Telefon',
      'MAC',
      'IP',
      'Oturum başlangıcı',
      'Oturum bitişi',
      'Toplam indirme (MB)',
      'Toplam yükleme (MB)',
    ],
  },
  sales: {
    en: ['Day', 'Visitor', 'Session profile', 'Days', 'Unit price', 'Total', 'Currency'],
    tr: ['Gün', 'Ziyaretçi', 'Oturum profili', 'Gün sayısı', 'Birim fiyat', 'Toplam', 'Para birimi'],
  },
};
