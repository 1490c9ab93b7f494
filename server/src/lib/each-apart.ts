import { isUnavailable } from '#db/errors.ts';
import type { App } from './app.ts';

/**
 * Works on the items one after another. A failure of one, such as one tenant, is logged and does not stop the others. The first
 * one is thrown at the end, so that a job counts as failed. Without the database all would fail, so its absence ends the work.
 */
export async function eachApart<T extends object>(
  { log }: Pick<App, 'log'>,
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items)
    await work(item).catch((error: unknown) => {
      if (isUnavailable(error)) throw error;
      log.error({ err: error, ...idsOf(item) }, 'one of several failed; the others go on');
      failures.push(error);
    });
  if (failures.length > 0) throw failures[0];
}

const idsOf = (item: object): object =>
  Object.fromEntries(Object.entries(item).filter(([key, value]) => /^id$|_id$/.test(key) && typeof value === 'string'));
