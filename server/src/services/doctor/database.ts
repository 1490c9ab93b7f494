import { migrations as known, oldMigrations } from '#db/migrate.ts';
import { createPool } from '#db/pool.ts';
import { createReplica } from '#db/replica.ts';
import { requireSessions, UnfitConnections } from '#db/require-sessions.ts';
import type { Settings } from '../../settings.ts';
import { knownSecretKey, previousSecretKey } from '../../settings-secret.ts';
import { differentMs } from '../clock-difference.ts';
import { fingerprint } from '../secret-key.ts';
import { checkBackup } from './backup.ts';
import { askDatabase, type DatabaseFacts } from './doctor.queries.ts';
import { type Finding, failure, messageOf, ok, warning } from './finding.ts';

/** Checks the database: connection, version, settings, migrations, key, clock and backup. */
export async function checkDatabase(settings: Settings, url: string): Promise<Finding[]> {
  let facts: DatabaseFacts;
  try {
    facts = await askDatabase(url);
  } catch (error) {
    return [failure('database', `no connection: ${messageOf(error)}`, remedyOf(error, settings))];
  }
  return [
    ...checkServer(settings, facts),
    ...(await checkPooler(settings)),
    ...(await checkReplica(settings)),
    ...checkMigrations(facts),
    ...checkKey(settings, facts),
    ...checkClock(facts),
    ...(await checkBackup(settings, facts)),
  ];
}

/** What to do by the code of PostgreSQL: no connection is free, it starts or stops, there is no such database. */
const remedies: Readonly<Record<string, string>> = {
  '53300': 'Raise max_connections or the limit of the role, lower DATABASE_CONNECTIONS, or use PgBouncer',
  '57P03': 'Wait until it is ready, and read its log',
  '3D000': 'Create the database (docs/operations.md, Database), or correct its name',
};

function remedyOf(error: unknown, { DATABASE_URL: url, DATABASE_DIRECT_URL: direct }: Settings): string {
  const known = remedies[(error as { code?: string }).code ?? ''];
  if (known !== undefined) return known;
  if (!url) return 'Read DATA_DIR/postgres/postgres.log';
  const name = direct ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL';
  return `Check ${name} (host, port, user, password), pg_hba.conf and that PostgreSQL runs`;
}

/** Checks a DATABASE_URL beside a DATABASE_DIRECT_URL as the start does. */
async function checkPooler({ DATABASE_URL: url, DATABASE_DIRECT_URL: direct }: Settings): Promise<Finding[]> {
  if (!url || !direct) return [];
  const pool = createPool(url, { max: 2, onError: () => undefined });
  try {
    await requireSessions(pool, direct);
    return [ok('pooler', 'NOTIFY, prepared statements and UTC work through DATABASE_URL')];
  } catch (error) {
    const remedy =
      error instanceof UnfitConnections
        ? 'Correct the settings of the pooler (docs/operations.md)'
        : 'Check DATABASE_URL and that the pooler runs';
    return [failure('pooler', messageOf(error), remedy)];
  } finally {
    await pool.end();
  }
}

async function checkReplica({ DATABASE_URL: url, DATABASE_READ_URL: read }: Settings): Promise<Finding[]> {
  if (!url || !read) return [];
  let problem = 'it lags behind or does not answer';
  const onError = () => undefined;
  const [primary, pool] = [
    createPool(url, { max: 1, onError }),
    createPool(read, { max: 1, connectMs: 5000, onError }),
  ];
  try {
    const replica = createReplica(primary, pool, {
      answered: onError,
      fellBack: onError,
      lost: error => (problem = messageOf(error)),
    });
    const why = await replica.check();
    if (!why) return [ok('replica', 'it has every write')];
    if (why === 'other')
      return [
        failure(
          'replica',
          'it is another database, or no standby',
          'Set DATABASE_READ_URL to a standby of DATABASE_URL',
        ),
      ];
    return [
      warning(
        'replica',
        `the primary answers: ${problem}`,
        'Read the log of the standby; see High availability in docs/operations.md',
      ),
    ];
  } finally {
    await Promise.all([primary.end(), pool.end()]);
  }
}

function checkServer(settings: Settings, facts: DatabaseFacts): Finding[] {
  const findings: Finding[] = [];
  const { version, versionText } = facts;
  if (version < 150_000)
    findings.push(failure('database', `PostgreSQL ${versionText} is too old`, 'Upgrade it to version 15 or later'));
  if (facts.encoding !== 'UTF8')
    findings.push(failure('database', `its encoding is ${facts.encoding}`, 'Create it again with encoding UTF8'));
  if (facts.readOnly)
    findings.push(failure('database', 'it accepts no writes', 'Set DATABASE_URL to the primary server'));
  if (!facts.fsync)
    findings.push(
      failure('database', 'fsync is off: a power failure destroys it', 'Set fsync = on in postgresql.conf'),
    );
  if (!facts.synchronous)
    findings.push(
      failure('database', 'synchronous_commit is off: a crash loses committed data', 'Set synchronous_commit = on'),
    );
  if (!facts.isMember && !(facts.mayCreateRoles && !facts.migrations))
    findings.push(
      failure(
        'database',
        facts.migrations ? 'the login does not have the roles of Portico' : 'the login may not create roles',
        'As a superuser: alter role … createrole; grant portico_app, portico_system to …, if these exist',
      ),
    );
  const wanted = settings.DATABASE_CONNECTIONS;
  if (facts.connections - facts.used < 3 || wanted > facts.connections)
    findings.push(
      warning(
        'database',
        `${facts.used} of ${facts.connections} connections are used, and each process may open ${wanted}`,
        'Raise max_connections, or lower DATABASE_CONNECTIONS',
      ),
    );
  return findings.length > 0 ? findings : [ok('database', `PostgreSQL ${versionText}`)];
}

function checkMigrations({ migrations }: DatabaseFacts): Finding[] {
  if (!migrations)
    return [warning('migrations', 'the database is empty', 'Start the product once, or restore a backup')];
  const names = new Set(known.map(it => it.name));
  const old = new Set(oldMigrations().map(it => it.name));
  const newer = migrations.find(name => !names.has(name) && !old.has(name));
  if (newer)
    return [
      failure('migrations', `the database has ${newer}, which this version does not know`, 'Run the newer version'),
    ];
  const missing = known.filter(it => !migrations.includes(it.name)).length;
  if (missing > 0) return [warning('migrations', `${missing} are missing`, 'The next start applies them')];
  return [ok('migrations', `all ${known.length} are applied`)];
}

function checkKey(settings: Settings, { keyFingerprint }: DatabaseFacts): Finding[] {
  if (!keyFingerprint) return [];
  const key = knownSecretKey(settings);
  const own = key && fingerprint(key);
  const previous = previousSecretKey(settings);
  if (own === keyFingerprint)
    return previous === undefined
      ? [ok('key', `fingerprint ${own}`)]
      : [
          warning(
            'key',
            `fingerprint ${own}; the previous key is still set`,
            'Remove SECRET_KEY_PREVIOUS (or secret.key.previous)',
          ),
        ];
  if (previous !== undefined && fingerprint(previous) === keyFingerprint)
    return [warning('key', 'SECRET_KEY is not rotated yet', 'Restart every process, then: portico secret rotate')];
  return [
    failure(
      'key',
      own
        ? `SECRET_KEY has the fingerprint ${own}, and the database was encrypted with ${keyFingerprint}`
        : `SECRET_KEY is missing; the database was encrypted with ${keyFingerprint}`,
      'Restore the right key. If it is lost: portico secret accept',
    ),
  ];
}

function checkClock({ aheadMs, clockDoubtedSince }: DatabaseFacts): Finding[] {
  const findings: Finding[] = [];
  const seconds = Math.round(aheadMs / 1000);
  if (Math.abs(aheadMs) >= differentMs)
    findings.push(
      failure(
        'clock',
        `the clocks of this machine and of the database differ by ${Math.abs(seconds)} s`,
        'Run chrony or systemd-timesyncd on both',
      ),
    );
  if (clockDoubtedSince)
    findings.push(
      failure(
        'clock',
        `it jumped ahead, so nothing has been erased since ${clockDoubtedSince}`,
        'Correct the clock. If it is right: portico clock confirm',
      ),
    );
  return findings.length > 0 ? findings : [ok('clock', 'matches the clock of the database')];
}
