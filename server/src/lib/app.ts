import type { Logger } from 'pino';
import type { Changes } from '#db/listen.ts';
import type { Database } from '#db/tenant.ts';
import type { Settings } from '../settings.ts';
import type { Secrets } from './secrets.ts';

/** What every feature is given: the database and word of its changes, the settings, the secrets' keeper and the log. */
export interface App {
  readonly db: Database;
  readonly changes: Changes;
  readonly settings: Settings;
  readonly secrets: Secrets;
  readonly log: Logger;
}
