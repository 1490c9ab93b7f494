import { fileStore } from '#features/logs/public.ts';
import { createClickhouse } from '#lib/clickhouse.ts';
import type { Settings } from '../../settings.ts';
import { type Finding, failure, messageOf, ok } from './finding.ts';

const oldest = 23;

/** Checks the stores beside PostgreSQL and the disk, if they are set. */
export const checkStores = async (settings: Settings): Promise<Finding[]> =>
  (await Promise.all([checkLogStore(settings), checkLogDatabase(settings)])).filter(it => it !== undefined);

async function checkLogStore(settings: Settings): Promise<Finding | undefined> {
  const store = fileStore(settings);
  try {
    await store?.folders();
    return store && ok('log store', 'it can be listed');
  } catch (error) {
    return failure('log store', messageOf(error), 'Check the store, LOG_STORE_URL, LOG_STORE_KEY and LOG_STORE_SECRET');
  }
}

async function checkLogDatabase({ LOG_DATABASE_URL: url }: Settings): Promise<Finding | undefined> {
  if (!url) return undefined;
  try {
    const [row] = await createClickhouse(url).read<{ version: string }>('select version() as version', {});
    const version = row?.version ?? '';
    if (Number.parseInt(version, 10) >= oldest) return ok('clickhouse', `version ${version}`);
    return failure('clickhouse', `version ${version} is too old`, `Upgrade it to version ${oldest} or later`);
  } catch (error) {
    return failure(
      'clickhouse',
      messageOf(error),
      'Check that ClickHouse runs, and LOG_DATABASE_URL (host, port, user, password)',
    );
  }
}
