import { setImmediate } from 'node:timers/promises';
import { CsvProblem, decodeText } from '#lib/csv-read.ts';
import { readGuestCsv } from './csv.ts';
import { radiusTables, takeRow } from './radius-tables.ts';
import { Reading, type Source, Unreadable } from './reading.ts';
import { readSqlDump } from './sql-dump.ts';
import { isUserManager, readUserManager } from './user-manager.ts';

const isSql = (text: string): boolean =>
  /^[ \t]*(?:insert\s|replace\s+into\s|create\s+table\s|copy\s+\S+\s*\()/im.test(text);

/** How many steps run before other requests get a turn. */
const stepsPerTurn = 500;
const pause = 'pause';

async function finish(steps: Iterable<unknown>): Promise<void> {
  let done = 0;
  for (const step of steps) if (step === pause || ++done % stepsPerTurn === 0) await setImmediate();
}

function textOf(bytes: Uint8Array): string {
  try {
    return decodeText(bytes);
  } catch (error) {
    if (error instanceof CsvProblem) throw new Unreadable('import_unknown_file');
    throw error;
  }
}

function* sqlSteps(text: string, reading: Reading, seen: Set<string>): Generator<typeof pause | undefined> {
  for (const row of readSqlDump(text, radiusTables)) {
    if (row) {
      seen.add(row.table);
      takeRow(reading, row);
    }
    yield row ? undefined : pause;
  }
}

/** Reads a file of another program. Which one it is of, its text shows. */
export async function readFile(bytes: Uint8Array): Promise<{ source: Source; reading: Reading }> {
  const text = textOf(bytes);
  const reading = new Reading();
  let source: Source = 'csv';
  if (isUserManager(text)) {
    source = 'user-manager';
    await finish(readUserManager(text, reading));
  } else if (isSql(text)) {
    const seen = new Set<string>();
    await finish(sqlSteps(text, reading, seen));
    source = seen.has('permanent_users') || seen.has('vouchers') ? 'radiusdesk' : 'freeradius';
  } else await finish(readGuestCsv(text, reading));
  if (reading.accounts.size === 0) throw new Unreadable('import_empty');
  return { source, reading };
}
