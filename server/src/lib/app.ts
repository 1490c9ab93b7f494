import type { Logger } from 'pino';
import type { Changes } from '#db/listen.ts';
import type { Database } from '#db/tenant.ts';
import type { Settings } from '../settings.ts';
import type { Secrets } from './secrets.ts';

/**
 * The services that every feature gets: the database and its notifications, the settings, the encryption of secrets, and the
 * log.
 */
export interface App {
  readonly db: Database;
  readonly changes: Changes;
  readonly settings: Settings;
  readonly secrets: Secrets;
  readonly log: Logger;
}
