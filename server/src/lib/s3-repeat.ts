import { setTimeout as sleep } from 'node:timers/promises';

/** A failure after which the same request may succeed. `asked`: the milliseconds for which the store wants to be left alone. */
export class Temporary extends Error {
  readonly asked: number;
  constructor(message: string, { asked = 0, cause }: { asked?: number; cause?: unknown } = {}) {
    super(message, { cause });
    this.asked = asked;
  }
}

/** The longest wait that a store may ask for. */
const longestPauseMs = 60_000;

/** Does the work again after each of the pauses, as long as the failure is temporary. */
export async function repeated<T>(pauses: readonly number[], work: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries += 1)
    try {
      return await work();
    } catch (error) {
      const pause = pauses[tries];
      if (!(error instanceof Temporary) || pause === undefined) throw error;
      await sleep(Math.max(pause, Math.min(error.asked, longestPauseMs)));
    }
}
