import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../run.ts';
import type { Change } from './change.ts';
import { sourceChanges } from './source-changes.ts';
import { queryChanges, schemaChanges } from './sql-changes.ts';

/** Every change that the sample may take of a file. */
export async function changesOf(file: string): Promise<Change[]> {
  const text = readFileSync(path.join(root, file), 'utf8');
  if (file.endsWith('.sql')) return schemaChanges(file, text);
  const sql = file.endsWith('.queries.ts') ? queryChanges(file, text) : [];
  const all = [...sql, ...(await sourceChanges(file, text))];
  // A value inside a statement is found as SQL and as TypeScript.
  return [...new Map(all.map(it => [`${it.start} ${it.end} ${it.to}`, it])).values()];
}
