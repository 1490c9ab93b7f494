import pg from 'pg';
import { clockDifference } from '../clock-difference.ts';

/** The queries of the doctor. They do not use the product's pool and change nothing. */
export interface DatabaseFacts {
  readonly version: number;
  readonly versionText: string;
  readonly encoding: string;
  readonly readOnly: boolean;
  readonly fsync: boolean;
  readonly synchronous: boolean;
  readonly connections: number;
  readonly used: number;
  /** Milliseconds by which the clock of the database is ahead of this machine. */
  readonly aheadMs: number;
  /** undefined before the first start. */
  readonly migrations?: readonly string[] | undefined;
  readonly isMember: boolean;
  readonly mayCreateRoles: boolean;
  readonly keyFingerprint: string | null;
  readonly backedUpAt: string | null;
  /** Why the last backup of the jobs failed. */
  readonly backupProblem: string | null;
  readonly clockDoubtedSince: string | null;
}

const general = `
  select current_setting('server_version_num')::int as version, current_setting('server_version') as version_text,
    current_setting('server_encoding') as encoding, current_setting('fsync')::boolean as fsync,
    current_setting('synchronous_commit') <> 'off' as synchronous,
    pg_is_in_recovery() or current_setting('default_transaction_read_only')::boolean as read_only,
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as connections,
    (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used,
    extract(epoch from clock_timestamp()) * 1000 as now_ms,
    to_regclass('public.migrations') is not null as has_migrations,
    to_regclass('public.installation') is not null as has_installation,
    (select rolcreaterole or rolsuper from pg_roles where rolname = current_user) as may_create_roles,
    coalesce((select bool_and(pg_has_role(oid, 'member')) from pg_roles where rolname in ('portico_app', 'portico_system')), false) as is_member`;

export async function askDatabase(url: string): Promise<DatabaseFacts> {
  const client = new pg.Client({
    ...{ connectionString: url, application_name: 'portico doctor' },
    ...{ connectionTimeoutMillis: 5000, statement_timeout: 5000 },
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const askedAt = Date.now();
    const it = (await client.query(general)).rows[0];
    const answeredAt = Date.now();
    const migrations = it.has_migrations
      ? (await client.query<{ name: string }>('select name from migrations order by 1')).rows.map(row => row.name)
      : undefined;
    let installation: {
      key_fingerprint?: string;
      backed_up_at?: string;
      doubted_since?: string;
      backup_problem?: string;
    } = {};
    if (it.has_installation && it.is_member) {
      await client.query('begin read only; set local role portico_system');
      installation = (
        await client.query(`select key_fingerprint, backed_up_at, to_jsonb(i) ->> 'backup_problem' as backup_problem,
          (select doubted_since from clock) from installation i`)
      ).rows[0];
      await client.query('commit');
    }
    return {
      ...{ version: it.version, versionText: it.version_text, encoding: it.encoding, readOnly: it.read_only },
      ...{ fsync: it.fsync, synchronous: it.synchronous, connections: it.connections, used: it.used },
      ...{ aheadMs: clockDifference(askedAt, Number(it.now_ms), answeredAt), migrations },
      ...{ isMember: it.is_member, mayCreateRoles: it.may_create_roles },
      keyFingerprint: installation.key_fingerprint ?? null,
      backedUpAt: installation.backed_up_at ?? null,
      backupProblem: installation.backup_problem ?? null,
      clockDoubtedSince: installation.doubted_since ?? null,
    };
  } finally {
    await client.end();
  }
}
