import type { Tx } from '#db/tenant.ts';
import type { Actor } from '#http/actor.ts';
import type { Context } from '#http/call.ts';
import { byteOrderMark, csvLine } from '#lib/csv.ts';
import { exportedLocation } from './audit.queries.ts';
import { audit, type Entry } from './audit.service.ts';

interface RowExport<T> {
  readonly subject: Entry['subject'];
  readonly filter: { readonly location_id?: string | undefined };
  readonly header: readonly string[];
  /** The rows after one of them, or the first ones. */
  readonly next: (tx: Tx, after: T | undefined, limit: number) => Promise<readonly T[]>;
  readonly line: (row: T) => string;
}

const chunk = 1000;

/** Rows as CSV, in chunks. Each chunk has a transaction of its own. The audit log records the export first. */
export async function* exportRows<T>(call: Context, actor: Actor, it: RowExport<T>): AsyncGenerator<string> {
  const { subject, filter } = it;
  await call.inTenant(async tx =>
    audit(tx, actor, { verb: 'export', subject, locationId: await exportedLocation(tx, actor, filter) }),
  );
  yield byteOrderMark + csvLine(it.header);
  let after: T | undefined;
  for (;;) {
    const rows: readonly T[] = await call.inTenant(tx => it.next(tx, after, chunk));
    if (rows.length > 0) yield rows.map(it.line).join('');
    if (rows.length < chunk) return;
    after = rows.at(-1);
  }
}
