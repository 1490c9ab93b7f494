import { setTimeout as sleep } from 'node:timers/promises';
import { sqlState } from './errors.ts';

const retries = 3;

/** Retries after a deadlock or a serialization failure, a few times: two that met once may meet again, so each waits a little, by chance. */
async function retryOnConflict<R>(work: () => Promise<R>): Promise<R> {
  for (let left = retries; ; left -= 1) {
    try {
      return await work();
    } catch (error) {
      if (left === 0 || !/^40/.test(sqlState(error) ?? '')) throw error;
    }
    await sleep(Math.random() * 20);
  }
}

/**
 * Applies `work` to a batch. If the database rejects an item, the batch is split in halves until that item is alone. `leftOut`
 * gives its result, and the others succeed. Any other error, such as that the database is away, ends the whole batch.
 */
export async function bisectOnError<T, R>(
  batch: readonly T[],
  work: (part: readonly T[]) => Promise<R[]>,
  leftOut: (item: T, error: unknown) => R,
): Promise<R[]> {
  try {
    return await retryOnConflict(() => work(batch));
  } catch (error) {
    // Classes 22 (data exception) and 23 (integrity) are caused by an item.
    if (!/^2[23]/.test(sqlState(error) ?? '')) throw error;
    if (batch.length === 1) return [leftOut(batch[0]!, error)];
    const middle = batch.length >> 1;
    const first = await bisectOnError(batch.slice(0, middle), work, leftOut);
    return [...first, ...(await bisectOnError(batch.slice(middle), work, leftOut))];
  }
}
