import { AppError } from '#http/app-error.ts';

const windowMs = 60_000;
const counts = new Map<string, { count: number; until: number }>();

/** Counts a call of a token; throws 429 beyond `most` a minute, with the seconds until it may call again. */
export function countCall(tokenId: string, most: number, now = Date.now()): void {
  const it = counts.get(tokenId);
  if (it && it.until > now) {
    it.count += 1;
    if (it.count > most) throw new AppError('too_many', { values: { seconds: Math.ceil((it.until - now) / 1000) } });
    return;
  }
  // Those that have not called lately need not be remembered.
  if (counts.size > 10_000) for (const [id, { until }] of counts) if (until <= now) counts.delete(id);
  counts.set(tokenId, { count: 1, until: now + windowMs });
}
