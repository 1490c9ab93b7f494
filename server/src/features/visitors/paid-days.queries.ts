import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

/**
 * Paid days of these visitors begin, where the profile lets them run from the purchase. Days that run from the first use
 * begin in take_admissions(), with the first sign-in.
 */
export const beginPurchasedDays = (tx: Tx, visitorIds: readonly string[]) =>
  tx.run(sql`
    update visitors v set paid_end_at = x.ends, session_end_at = least(v.session_end_at, x.ends)
    from (
      select v.id, ((greatest(now(), v.session_start_at) at time zone l.time_zone)
        + make_interval(days => v.total_paid_day)) at time zone l.time_zone as ends
      from visitors v
      join locations l on l.id = v.location_id
      join profiles p on p.id = v.profile_id
      where v.id = any(${visitorIds}) and v.paid_end_at is null and v.total_paid_day > 0
        and (p.paid_sale->>'is_active')::boolean and p.paid_days_from = 'purchase') x
    where v.id = x.id`);
