import { listenToChanges } from '#db/listen.ts';
import { migrate } from '#db/migrate.ts';
import { createPool, giveUpConnections, type Pool } from '#db/pool.ts';
import { requireSessions, UnfitConnections } from '#db/require-sessions.ts';
import { refuseHalfRestored } from '#db/restore-mark.ts';
import { createDatabase } from '#db/tenant.ts';
import { needsArchive } from '#features/sessions/public.ts';
import type { App } from '#lib/app.ts';
import { createLog } from '#lib/log.ts';
import { createSecrets } from '#lib/secrets.ts';
import type { Settings } from '../settings.ts';
import { secretKey } from '../settings-secret.ts';
import type { Readiness } from './readiness.ts';
import { openReplica } from './replica.ts';
import { removeFolderMark } from './restore-folder.ts';
import { requireKeys, type SwitchingSecrets, secretsOf, watchKey, watchRotation, watchTenants } from './secret-key.ts';
import type { Service } from './service.ts';

/**
 * Opens and migrates the database, and creates the dependencies of the features. Throws if the database was encrypted with
 * another SECRET_KEY, unless `anyKey` is set.
 */
export async function openApp(
  settings: Settings,
  databaseUrl: string,
  { anyKey = false } = {},
): Promise<App & Service & Pick<Readiness, 'hasKey'>> {
  const log = createLog(settings.LOG_LEVEL);
  let isOpen = false;
  const warn = (error: Error) => {
    // Before, the error is thrown. While stopping, the database may close a connection first.
    if (isOpen) log.warn({ err: error }, 'a database connection was lost');
  };
  // One of the connections listens for changes.
  const pool = createPool(databaseUrl, { max: settings.DATABASE_CONNECTIONS - 1, onError: warn });
  const direct = settings.DATABASE_DIRECT_URL ?? databaseUrl;
  const changes = listenToChanges(direct, warn);
  // A pooler is another server, which watches its own connections.
  if (direct === databaseUrl) changes.onSilence(() => giveUpConnections(pool));
  const replica = settings.DATABASE_READ_URL ? openReplica(settings.DATABASE_READ_URL, pool, log) : undefined;
  const db = createDatabase(pool, { readTimeoutMs: settings.READ_TIMEOUT * 1000, replica });
  let held: Pick<SwitchingSecrets, 'secrets' | 'switch'>;
  let hasKey = true;
  const endWatches: (() => void)[] = [];
  try {
    // The embedded database needs no check.
    if (settings.DATABASE_URL) await requireSessions(pool, direct);
    await migrateOver(direct, pool, warn);
    await removeFolderMark(settings.DATA_DIR);
    if (!settings.LOG_DATABASE_URL && (await db.withSystem(needsArchive)))
      throw new UnfitConnections('LOG_DATABASE_URL must be set: sessions are archived in that ClickHouse');
    if (anyKey) held = { secrets: createSecrets(secretKey(settings)), switch: () => undefined };
    else {
      const keys = await requireKeys(db, settings);
      const switching = secretsOf(keys);
      held = switching;
      await switching.readTenants(db);
      const begun = () => {
        held.switch();
        log.info('values are encrypted with the new SECRET_KEY');
      };
      const lacks = (needed: string | undefined) => {
        if (needed && hasKey)
          log.error(
            { needed },
            'SECRET_KEY was rotated: restart this process with the new key and SECRET_KEY_PREVIOUS',
          );
        hasKey = needed === undefined;
      };
      endWatches.push(watchRotation(db, keys, begun), watchKey(db, keys, lacks), watchTenants(db, changes, switching));
    }
  } catch (error) {
    await Promise.all([changes.close(), pool.end(), replica?.pool.end()]);
    throw error;
  }
  isOpen = true;
  return {
    db,
    changes,
    settings,
    secrets: held.secrets,
    log,
    hasKey: () => hasKey,
    stop: async () => {
      isOpen = false;
      for (const end of endWatches) end();
      await changes.close();
      await Promise.all([pool.end(), replica?.pool.end()]);
    },
  };
}

/** The lock of the migrations needs a connection without a pooler. */
async function migrateOver(direct: string, pool: Pool, onError: (error: Error) => void): Promise<void> {
  await refuseHalfRestored(pool);
  if (direct === pool.options.connectionString) {
    await migrate(pool);
    return;
  }
  const own = createPool(direct, { max: 1, onError });
  try {
    await migrate(own);
  } finally {
    await own.end();
  }
}
