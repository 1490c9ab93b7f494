import type { Tx } from '#db/tenant.ts';
import { recordSales } from '#features/reports/public.ts';
import { invalid } from '#http/app-error.ts';
import { daysLater } from './import.queries.ts';
import { beginPurchasedDays } from './paid-days.queries.ts';
import type { StoredVisitor } from './visitors.queries.ts';

/** Records the days that these visitors have paid for and that no sale covers yet, and lets them begin. */
export async function sellDays(tx: Tx, visitorIds: readonly string[]): Promise<void> {
  await recordSales(tx, visitorIds);
  await beginPurchasedDays(tx, visitorIds);
}

/** A time plus a number of days; counts from now if the time has passed. */
const after = (tx: Tx, locationId: string, moment: string, days: number): Promise<string> =>
  daysLater(tx, locationId, new Date(Math.max(Date.parse(moment), Date.now())).toISOString(), days);

const isPast = (moment: string | null | undefined): boolean => Boolean(moment) && Date.parse(moment!) <= Date.now();

/**
 * The ends of a visitor's access once these days are added. Without an end, or before paid days begin, there is none to move.
 * An end that has passed is lifted for days that have not begun: the guest has paid for them. A reversal sets such an end.
 */
export async function endsAfter(
  tx: Tx,
  { location_id, session_end_at, paid_end_at }: StoredVisitor,
  days: number,
  isPaid: boolean,
): Promise<Pick<StoredVisitor, 'session_end_at' | 'paid_end_at'>> {
  if (isPaid && !paid_end_at && isPast(session_end_at)) return { session_end_at: null, paid_end_at };
  return {
    session_end_at: session_end_at && (await after(tx, location_id, session_end_at, days)),
    paid_end_at: paid_end_at && isPaid ? await after(tx, location_id, paid_end_at, days) : paid_end_at,
  };
}

/** The ends that a changed form means for a visitor whose days are `days` now. An end that the form changes counts as it is. */
export async function endsOfForm(
  tx: Tx,
  before: StoredVisitor,
  form: { session_end_at?: string | null | undefined },
  days: number,
): Promise<Partial<Pick<StoredVisitor, 'session_end_at' | 'paid_end_at'>>> {
  const more = days - before.total_paid_day;
  if (more < 0) throw invalid({ total_paid_day: 'reverse_sale' });
  if (!before.paid_end_at)
    return more && isPast(before.session_end_at) && isPast(form.session_end_at) ? { session_end_at: null } : {};
  const { session_end_at, paid_end_at } = more ? await endsAfter(tx, before, more, true) : before;
  const { session_end_at: sent } = form;
  const isSame = (sent && Date.parse(sent)) === (before.session_end_at && Date.parse(before.session_end_at));
  // Paid days always have an end.
  return { session_end_at: isSame ? session_end_at : (sent ?? paid_end_at), paid_end_at };
}
