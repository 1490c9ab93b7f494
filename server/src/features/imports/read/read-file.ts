import { CsvProblem, decodeText } from '#lib/csv-read.ts';
import { readGuestCsv } from './csv.ts';
import { radiusTables, takeRow } from './radius-tables.ts';
import { Reading, type Source, Unreadable } from './reading.ts';
import { readSqlDump } from './sql-dump.ts';
import { isUserManager, readUserManager } from './user-manager.ts';

const isSql = (text: string): boolean =>
  /^[ \t]*(?:insert\s|replace\s+into\s|create\s+table\s|copy\s+\S+\s*\()/im.test(text);

function textOf(bytes: Uint8Array): string {
  try {
    return decodeText(bytes);
  } catch (error) {
    if (error instanceof CsvProblem) throw new Unreadable('import_unknown_file');
    throw error;
  }
}

/** Reads a file of another program. Which one it is of, its text shows. A hostile file takes many seconds. */
export function readFile(bytes: Uint8Array): { source: Source; reading: Reading } {
  const text = textOf(bytes);
  const reading = new Reading();
  let source: Source = 'csv';
  if (isUserManager(text)) {
    source = 'user-manager';
    readUserManager(text, reading);
  } else if (isSql(text)) {
    const seen = new Set<string>();
    for (const row of readSqlDump(text, radiusTables)) {
      seen.add(row.table);
      takeRow(reading, row);
    }
    source = seen.has('permanent_users') || seen.has('vouchers') ? 'radiusdesk' : 'freeradius';
  } else readGuestCsv(text, reading);
  if (reading.accounts.size === 0) throw new Unreadable('import_empty');
  return { source, reading };
}
