import type { App } from '#lib/app.ts';
import { gauge } from '#lib/metrics.ts';
import { clockDifference, differentMs } from './clock-difference.ts';
import { databaseTime } from './installation.queries.ts';

const measure = ({ db }: Pick<App, 'db'>): Promise<number> =>
  db.withSystem(async tx => {
    const asked = Date.now();
    return clockDifference(asked, await databaseTime(tx), Date.now());
  });

/**
 * Compares the clocks of this process and of the database. Both write rows, so sessions end too early or too late when the
 * clocks differ. Returns a function that ends the watch.
 */
export function watchClock(app: Pick<App, 'db' | 'log'>, everyMs = 30_000): () => void {
  const difference = gauge(
    'portico_clock_difference_seconds',
    "Seconds by which the database's clock is ahead of this process's",
  );
  let differs = false;
  const compare = async () => {
    const ms = await measure(app);
    difference.set(ms / 1000);
    const now = Math.abs(ms) >= differentMs;
    if (now && !differs)
      app.log.error(
        { seconds: Math.round(ms / 1000) },
        'the clocks of this process and of the database differ: run chrony or systemd-timesyncd on both',
      );
    if (differs && !now) app.log.info('the clocks of this process and of the database match again');
    differs = now;
  };
  // The database is away; the next turn asks again.
  const ask = () => void compare().catch(() => undefined);
  ask();
  const timer = setInterval(ask, everyMs).unref();
  return () => clearInterval(timer);
}
