import type { GuestProblem } from '@portico/contract/guest-problems.ts';
import type { App } from '#lib/app.ts';
import type { PageMessage } from './page-message.ts';
import { type BeginRow, findBegin } from './refusals.queries.ts';

/** When an access begins, for the text of its refusal. */
export const beginOf = ({ begins, time_zone: timeZone }: BeginRow) => ({
  begins: begins ?? '',
  timeZone,
});

/** The refusal of a visitor with the values of its text. An access that has not begun names its begin. */
export async function refusalMessage(
  { db }: App,
  { tenantId }: { readonly tenantId: string },
  visitorId: string | null,
  problem: GuestProblem,
): Promise<Pick<PageMessage, 'problem' | 'problemValues'>> {
  if (problem !== 'not_yet' || !visitorId) return { problem };
  const row = await db.readTenant(tenantId, tx => findBegin(tx, visitorId));
  return { problem, ...(row && { problemValues: beginOf(row) }) };
}
