import type { VoucherPart } from './voucher-guests.queries.ts';

/**
 * How long the access of guests goes on once some of their vouchers are revoked or reversed. The parts follow one another until the end of
 * the access, so each is found by its length from there. The one that began the access has the rest.
 * Guests whose access goes on without an end are left out.
 */
export function secondsKept(
  parts: readonly VoucherPart[],
  ended: ReadonlySet<string>,
): { id: string; seconds: number }[] {
  const guests = Map.groupBy(parts, it => it.visitor_id);
  return [...guests].flatMap(([id, newestFirst]) => {
    let end = newestFirst[0]?.left ?? Number.POSITIVE_INFINITY;
    let seconds = 0;
    newestFirst.forEach((part, index) => {
      const isFirst = index === newestFirst.length - 1;
      const begin = isFirst ? 0 : part.added === null ? (part.begins ?? 0) : end - part.added;
      if (!ended.has(part.id)) seconds += Math.max(0, end - Math.max(0, begin));
      end = begin;
    });
    return Number.isFinite(seconds) ? [{ id, seconds }] : [];
  });
}
