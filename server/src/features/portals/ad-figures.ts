import type { Language } from '@portico/contract/errors.ts';
import type { Scope } from '#db/scope.ts';
import type { Tx } from '#db/tenant.ts';
import { byteOrderMark, csvLine } from '#lib/csv.ts';
import { type AdDayRow, adDaysAtOnce, listAdDays } from './survey-results.queries.ts';

const headings: Record<Language, string[]> = {
  en: ['Day', 'Advertisement', 'Views', 'Clicks'],
  tr: ['Gün', 'Reklam', 'Gösterim', 'Tıklama'],
};

interface Export {
  readonly language: Language;
  readonly scope: Scope;
  readonly portalId: string;
  readonly read: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;
}

/** The figures of a portal's advertisements as CSV, one line per day and advertisement, read in chunks. */
export async function* exportAdFigures({ language, scope, portalId, read }: Export): AsyncGenerator<string> {
  yield byteOrderMark + csvLine(headings[language]);
  for (let after: AdDayRow | null = null; ; ) {
    const last: AdDayRow | null = after;
    const rows: AdDayRow[] = await read(tx => listAdDays(tx, scope, { portalId, after: last }));
    for (const it of rows) yield csvLine([it.day, it.name, it.views, it.clicks]);
    after = rows.at(-1) ?? null;
    if (rows.length < adDaysAtOnce) return;
  }
}
