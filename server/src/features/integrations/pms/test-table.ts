import type { PmsConnection } from '@portico/contract/integration-kinds.ts';
import type { ConnectionTest, TestResult } from '../kinds/kind.ts';
import { readTable } from './read.ts';

const shown = (value: unknown): string | null =>
  value === null || value === undefined
    ? null
    : value instanceof Date
      ? value.toISOString()
      : String(value).slice(0, 120);

/** The columns of the table, each with a sample value. */
export async function testTable({ app, connection }: ConnectionTest<PmsConnection>): Promise<TestResult[]> {
  const { columns, rows } = await readTable(app, connection, undefined, 1);
  return columns.map(name => ({ name, value: shown(rows[0]?.[name]) }));
}
