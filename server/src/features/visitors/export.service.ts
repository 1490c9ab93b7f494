import { audit, exportedLocation } from '#features/audit/public.ts';
import { listScope } from '#http/actor.ts';
import { invalid } from '#http/app-error.ts';
import { byteOrderMark, csvLine } from '#lib/csv.ts';
import { erasedName, headers, listColumns, methods } from './csv-words.ts';
import { countSelected } from './visitor-selection.queries.ts';
import { nextVisitors, type VisitorFilter } from './visitors.queries.ts';
import { type Call, describeRow } from './visitors.service.ts';

const chunk = 5000;

/**
 * All visitors that match the filter as CSV, newest first. They are read in chunks, each in its own transaction. Throws 422 if a
 * selected one is gone: a file without it would look complete.
 */
export async function* exportVisitors(call: Call, filter: VisitorFilter): AsyncGenerator<string> {
  const scope = listScope(call.actor, filter);
  const selected = new Set(filter.ids);
  await call.inTenant(async tx => {
    if ((await countSelected(tx, scope, [...selected])) < selected.size) throw invalid({ ids: 'selected_missing' });
    await audit(tx, call.actor, {
      verb: 'export',
      subject: { type: 'visitor-list', name: 'user-list.csv' },
      locationId: await exportedLocation(tx, call.actor, filter),
    });
  });
  yield byteOrderMark + csvLine(listColumns.map(column => headers[call.language][column]));
  for (let after: string | null = null; ; ) {
    const { rows, next } = await call.inTenant(tx => nextVisitors(tx, scope, filter, { after, limit: chunk }));
    yield rows
      .map(stored => {
        const row = describeRow(call, stored);
        const method = methods[call.language][row.provider_type];
        const { name, email, phone, location, device, provider_id, profile } = row;
        return csvLine([
          row.erased_at ? erasedName[call.language] : name,
          email,
          phone,
          location.name,
          device?.name,
          method,
          provider_id,
          profile?.name,
          stored.made_at,
        ]);
      })
      .join('');
    if (!next) return;
    after = next;
  }
}
