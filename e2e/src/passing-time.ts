import path from 'node:path';
import { runningEmbedded } from '../../server/src/db/embedded.ts';
import { createPool } from '../../server/src/db/pool.ts';
import type { Product } from './product.ts';

/** A time zone where it is noon now, so that its day does not end during a journey. */
export function noonZone(): string {
  const isNoon = (timeZone: string) =>
    new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', hourCycle: 'h23' }).format() === '12';
  return Intl.supportedValuesOf('timeZone').find(isNoon)!;
}

/** Lets days pass for a visitor: the product reads the real clock, so what it has stored becomes older. */
export async function passDays(product: Product, visitorId: string, days: number): Promise<void> {
  const url = runningEmbedded(path.join(product.dataDir, 'postgres'));
  if (!url) throw new Error('the embedded database does not run');
  const pool = createPool(url, { max: 1, onError: () => undefined });
  const earlier = [visitorId, days];
  await pool.query(
    `update visitors set created_at = created_at - make_interval(days => $2), session_end_at = session_end_at - make_interval(days => $2),
      paid_end_at = paid_end_at - make_interval(days => $2) where id = $1`,
    earlier,
  );
  await pool.query(
    'update online_sessions set started_at = started_at - make_interval(days => $2) where visitor_id = $1',
    earlier,
  );
  await pool.end();
}
