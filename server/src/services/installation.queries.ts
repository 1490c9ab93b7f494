import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

export interface Installation {
  readonly key_fingerprint: string | null;
  readonly backed_up_at: string | null;
  readonly hash_keys: string | null;
  readonly rotating_to: string | null;
  /** How long ago the rotation began. */
  readonly rotating_for: number | null;
}

export const readInstallation = (tx: Tx): Promise<Installation> =>
  tx.one<Installation & Record<string, unknown>>(sql`select key_fingerprint, backed_up_at, hash_keys, rotating_to,
    extract(epoch from now() - rotating_at)::float8 as rotating_for from installation`);

/** Notes the key of the first start. A key that is noted already stays. */
export const noteKey = (tx: Tx, fingerprint: string): Promise<number> =>
  tx.run(sql`update installation set key_fingerprint = ${fingerprint} where key_fingerprint is null`);

export const replaceKey = (tx: Tx, fingerprint: string): Promise<number> =>
  tx.run(
    sql`update installation set key_fingerprint = ${fingerprint}, hash_keys = null, rotating_to = null, rotating_at = null`,
  );

/** From now on all processes encrypt with the new key. */
export const beginRotation = (tx: Tx, to: string): Promise<number> =>
  tx.run(
    sql`update installation set rotating_to = ${to}, rotating_at = now() where rotating_to is distinct from ${to}`,
  );

/** The new key is the installation's. The keys of hashes stay those of before, under the new key. */
export const endRotation = (tx: Tx, fingerprint: string, hashKeys: string): Promise<number> =>
  tx.run(sql`
    update installation set key_fingerprint = ${fingerprint}, hash_keys = ${hashKeys}, rotating_to = null, rotating_at = null`);

/** Undefined before the migration that gave installations an id. A restored installation keeps its id. */
export const findInstallationId = async (tx: Tx): Promise<string | undefined> =>
  (await tx.one<{ id: string | null }>(sql`select to_jsonb(installation)->>'id' as id from installation`)).id ??
  undefined;

export const noteBackup = (tx: Tx, at: Date): Promise<number> =>
  tx.run(sql`update installation set backed_up_at = ${at}`);

/** The backups that the jobs make. */
export interface BackupState {
  /** The time of the schedule whose backup is made. */
  readonly made_for: string | null;
  /** Seconds since the last attempt began. */
  readonly tried_for: number | null;
}

export const readBackupState = (tx: Tx): Promise<BackupState> =>
  tx.one<BackupState & Record<string, unknown>>(sql`select backup_of as made_for,
    extract(epoch from now() - backup_tried_at)::float8 as tried_for from installation`);

export const noteBackupAttempt = (tx: Tx): Promise<number> =>
  tx.run(sql`update installation set backup_tried_at = now()`);

export const noteBackupMade = (tx: Tx, due: Date): Promise<number> =>
  tx.run(sql`update installation set backup_of = ${due}, backup_problem = null`);

export const noteBackupProblem = (tx: Tx, problem: string): Promise<number> =>
  tx.run(sql`update installation set backup_problem = ${problem}`);

/** The database's clock in milliseconds. */
export const databaseTime = async (tx: Tx): Promise<number> =>
  (await tx.one<{ ms: number }>(sql`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`)).ms;
