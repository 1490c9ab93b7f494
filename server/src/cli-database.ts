import { existsSync, rmdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { AlreadyRunning, runningEmbedded, startEmbedded, takeTurn } from '#db/embedded.ts';
import { steadyNow } from '#lib/steady-clock.ts';

export interface CommandDatabase {
  readonly url: string;
  stop(): Promise<void>;
  /** Stops it. If the command made it, removes it too, before another command can use it. */
  discard(): Promise<void>;
}

/** So long a command waits for the database of a product that starts. */
const startMs = 15_000;
/** Commands that wait longer for another one say so. */
const silentMs = 3000;

/**
 * The embedded database: that of the running product, or started for the command. Commands that start it take turns, because
 * each stops it at its end.
 */
export async function embeddedDatabase({ DATA_DIR }: { readonly DATA_DIR: string }): Promise<CommandDatabase> {
  const folder = path.join(DATA_DIR, 'postgres');
  const start = steadyNow();
  for (let said = false; ; ) {
    const isFirst = !existsSync(DATA_DIR);
    const turn = await takeTurn(folder);
    if (turn) {
      const isNew = !existsSync(path.join(folder, 'data'));
      try {
        const { url, stop } = await startEmbedded(folder);
        return {
          url,
          stop: () => stop().finally(() => turn.close()),
          async discard() {
            await stop();
            if (isNew) rmSync(folder, { recursive: true, force: true });
            if (isNew && isFirst) removeIfEmpty(DATA_DIR);
            turn.close();
          },
        };
      } catch (error) {
        turn.close();
        if (!(error instanceof AlreadyRunning)) throw error;
      }
      const url = runningEmbedded(folder);
      if (url) return { url, stop: async () => undefined, discard: async () => undefined };
      if (steadyNow() - start > startMs)
        throw new Error(`The product runs on ${folder}, and its database does not answer: see the log of the product`);
    } else if (!said && steadyNow() - start > silentMs) {
      said = true;
      process.stderr.write(`Waiting for another command on ${folder}\n`);
    }
    await sleep(100);
  }
}

/** Another program may have written there. */
function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // It stays.
  }
}
