import { CsvProblem, type CsvRecord, decodeText, readCsv } from '#lib/csv-read.ts';
import { invalid } from './app-error.ts';
import type { Upload } from './call.ts';

/** The header and the records of an uploaded CSV file. Throws 422 if it is unreadable, empty or has more than `max` records. */
export function readTable(file: Upload, max: number): { header: CsvRecord; records: CsvRecord[] } {
  let read: CsvRecord[];
  try {
    read = readCsv(decodeText(file.bytes), max + 2);
  } catch (error) {
    if (error instanceof CsvProblem) throw invalid({ file: [error.problem, { line: error.line }] });
    throw error;
  }
  const [header, ...records] = read;
  if (!header || !records.length) throw invalid({ file: 'csv_empty' });
  if (records.length > max) throw invalid({ file: ['csv_rows', { limit: max }] });
  return { header, records };
}
