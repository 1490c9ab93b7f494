import type { App } from '#lib/app.ts';
import { counter, gauge } from '#lib/metrics.ts';
import { steadyNow } from '#lib/steady-clock.ts';
import { clockDifference, differentMs } from './clock-difference.ts';
import { databaseTime } from './installation.queries.ts';

const measure = ({ db }: Pick<App, 'db'>): Promise<number> =>
  db.withSystem(async tx => {
    const asked = Date.now();
    return clockDifference(asked, await databaseTime(tx), Date.now());
  });

/** The difference of this machine's clock from a clock that only runs. It changes when the clock is set. */
const offset = (): number => Date.now() - steadyNow();

/** Counts and logs when this process's clock was set since the last call. A machine that was paused seems set forwards. */
function watchSteps(log: App['log']): () => void {
  const steps = counter(
    'portico_clock_steps_total',
    'How often the clock of this process was set forwards or backwards by five seconds or more',
    ['direction'],
  );
  // Both exist from the start, so that the first step is an increase.
  for (const direction of ['forwards', 'backwards']) steps.inc({ direction }, 0);
  let before = offset();
  return () => {
    const now = offset();
    const ms = now - before;
    before = now;
    if (Math.abs(ms) < differentMs) return;
    const direction = ms > 0 ? 'forwards' : 'backwards';
    steps.inc({ direction });
    log.error({ seconds: Math.round(Math.abs(ms) / 1000) }, `the clock of this process was set ${direction}`);
  };
}

/**
 * Compares the clocks of this process and of the database. Both write rows, so sessions end too early or too late when the
 * clocks differ. Where both run on one machine they are set together, so it also looks whether the clock was set. Returns a
 * function that ends the watch.
 */
export function watchClock(app: Pick<App, 'db' | 'log'>, everyMs = 30_000): () => void {
  const difference = gauge(
    'portico_clock_difference_seconds',
    "Seconds by which the database's clock is ahead of this process's",
  );
  const lookForStep = watchSteps(app.log);
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
  const ask = () => {
    lookForStep();
    void compare().catch(() => undefined);
  };
  ask();
  const timer = setInterval(ask, everyMs).unref();
  return () => clearInterval(timer);
}
