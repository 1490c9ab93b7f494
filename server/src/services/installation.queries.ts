import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

export interface Installation {
  readonly key_fingerprint: string | null;
  readonly backed_up_at: string | null;
}

export const readInstallation = (tx: Tx): Promise<Installation> =>
  tx.one<Installation & Record<string, unknown>>(sql`select key_fingerprint, backed_up_at from installation`);

/** Notes the key of the first start. A key that is noted already stays. */
export const noteKey = (tx: Tx, fingerprint: string): Promise<number> =>
  tx.run(sql`update installation set key_fingerprint = ${fingerprint} where key_fingerprint is null`);

export const replaceKey = (tx: Tx, fingerprint: string): Promise<number> =>
  tx.run(sql`update installation set key_fingerprint = ${fingerprint}`);

export const noteBackup = (tx: Tx, at: Date): Promise<number> =>
  tx.run(sql`update installation set backed_up_at = ${at}`);
