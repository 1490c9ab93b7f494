import { Readable } from 'node:stream';
import type { Desk, SheetQuery } from '@portico/contract/qr-menu.ts';
import { invalid } from '#http/app-error.ts';
import { deskCodes } from './desk-codes.ts';
import { sheetPages } from './sheet.ts';

const hints = { tr: 'Menü için okutun', en: 'Scan for the menu' } as const;

export interface Sheet {
  readonly body: Readable;
  readonly type: string;
  readonly name: string;
}

/** The codes of a row of desks to print: a PDF, or one page of it as SVG. */
export async function sheetOf(desk: Desk, query: SheetQuery, language: 'tr' | 'en'): Promise<Sheet> {
  const codes = deskCodes(desk, []).filter(({ number }) => query.number === undefined || number === query.number);
  if (codes.length === 0) throw invalid({ number: ['limit_range', { min: desk.number_start, max: desk.number_end }] });
  const pages = sheetPages(codes, query.size);
  const hint = `${desk.title} · ${hints[language]}`;
  if (query.format === 'pdf') {
    const { sheetPdf } = await import('./sheet-pdf.ts');
    const body = Readable.from(sheetPdf(pages, { title: desk.title, hint }));
    return { body, type: 'application/pdf', name: 'qr-menu.pdf' };
  }
  const page = pages[query.page - 1];
  if (!page) throw invalid({ page: ['number_max', { limit: pages.length }] });
  const { sheetSvg } = await import('./sheet-svg.ts');
  return { body: Readable.from([sheetSvg(page, hint)]), type: 'image/svg+xml', name: `qr-menu-${query.page}.svg` };
}
