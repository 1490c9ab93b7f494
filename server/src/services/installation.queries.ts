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

export const noteBackup = (tx: Tx, at: Date): Promise<number> =>
  tx.run(sql`update installation set backed_up_at = ${at}`);
