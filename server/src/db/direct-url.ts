import path from 'node:path';
import type { Settings } from '../settings.ts';
import { runningEmbedded } from './embedded.ts';

/** The database without a pooler: for locks of a session, dumps, and statements that need no transaction. */
export function directUrl(settings: Settings): string {
  const url =
    settings.DATABASE_DIRECT_URL ?? settings.DATABASE_URL ?? runningEmbedded(path.join(settings.DATA_DIR, 'postgres'));
  if (!url) throw new Error('The embedded database does not run');
  return url;
}
