import { readCsv } from '#lib/csv-read.ts';

/**
 * The cells of a CSV text in a spreadsheet program whose list separator is a semicolon. They lack the blanks and quotes that
 * some programs take off their beginning.
 */
export const semicolonCells = (text: string): string[] =>
  // The first line decides about the separator.
  readCsv(`a;b\r\n${text}`, 100_000)
    .slice(1)
    .flatMap(it => it.cells.map(cell => cell.replace(/^[ "\uFEFF]+/, '')));

/** The cells that such a program would run. It may split at tabs too. */
export const formulasIn = (text: string): string[] =>
  semicolonCells(text)
    .flatMap(it => it.split('\t'))
    .filter(it => /^[=+\-@＝＋－＠]/u.test(it));
