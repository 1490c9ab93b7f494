import { CsvProblem, type CsvRecord, decodeText, readCsv } from '#lib/csv-read.ts';
import { invalid } from './app-error.ts';
import type { Upload } from './call.ts';

/** The header and the records of an uploaded CSV file; 422 for one that can't be read, holds nothing or more than `most` records. */
export function readTable(file: Upload, most: number): { header: CsvRecord; records: CsvRecord[] } {
  let read: CsvRecord[];
  try {
    read = readCsv(decodeText(file.bytes), most + 2);
  } catch (error) {
    if (error instanceof CsvProblem) throw invalid({ file: [error.problem, { line: error.line }] });
    throw error;
  }
  const [header, ...records] = read;
  if (!header || !records.length) throw invalid({ file: 'csv_empty' });
  if (records.length > most) throw invalid({ file: ['csv_rows', { limit: most }] });
  return { header, records };
}
