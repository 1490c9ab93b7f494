import type { MessageKey } from '@portico/contract/field-messages.ts';
import { ApartFailed, apart, smallFile } from '#lib/apart.ts';
import { CsvProblem, type CsvRecord, decodeText, readCsv } from '#lib/csv-read.ts';
import type { CsvAnswer } from '#lib/csv-read.worker.ts';
import { cutText } from '#lib/one-line.ts';
import { AppError, invalid } from './app-error.ts';
import type { Upload } from './call.ts';

const program = new URL('../lib/csv-read.worker.ts', import.meta.url);

async function recordsOf({ bytes }: Upload, max: number): Promise<readonly CsvRecord[]> {
  if (bytes.length <= smallFile) return readCsv(decodeText(bytes), max);
  const answer = await apart<CsvAnswer>(program, { bytes, max });
  if ('problem' in answer) throw new CsvProblem(answer.problem.problem, answer.problem.line);
  return answer;
}

/** The 422 about a file that a thread could not read; `unknown` is the message if its program failed. */
export const unreadApart = (error: ApartFailed, unknown: MessageKey): AppError =>
  new AppError('invalid', { fields: { file: error.reason === 'fault' ? unknown : 'file_heavy' }, cause: error });

export interface Table {
  readonly header: CsvRecord;
  readonly records: readonly CsvRecord[];
}

/** Answers repeat the title of a column for each problem, so a title without end would fill the memory. */
const longestTitle = 200;

/** The header and the records of an uploaded CSV file. Throws 422 if it is unreadable, empty or has more than `max` records. */
export async function readTable(file: Upload, max: number): Promise<Table> {
  let read: readonly CsvRecord[];
  try {
    read = await recordsOf(file, max + 2);
  } catch (error) {
    if (error instanceof CsvProblem)
      throw new AppError('invalid', { fields: { file: [error.problem, { line: error.line }] } });
    if (error instanceof ApartFailed) throw unreadApart(error, 'csv_binary');
    throw error;
  }
  const [first, ...records] = read;
  const header = first && { ...first, cells: first.cells.map(cell => cutText(cell.trim(), longestTitle)) };
  if (!header || !records.length) throw invalid({ file: 'csv_empty' });
  if (records.length > max) throw invalid({ file: ['csv_rows', { limit: max }] });
  return { header, records };
}
