import path from 'node:path';
import { AlreadyRunning, runningEmbedded, startEmbedded } from '#db/embedded.ts';
import type { Settings } from './settings.ts';

export interface CommandDatabase {
  readonly url: string;
  stop(): Promise<void>;
}

/** The embedded database: that of the running product, or started for the command. */
export async function embeddedDatabase({ DATA_DIR }: Pick<Settings, 'DATA_DIR'>): Promise<CommandDatabase> {
  const folder = path.join(DATA_DIR, 'postgres');
  try {
    return await startEmbedded(folder);
  } catch (error) {
    const url = error instanceof AlreadyRunning ? runningEmbedded(folder) : undefined;
    if (!url) throw error;
    return { url, stop: async () => undefined };
  }
}
