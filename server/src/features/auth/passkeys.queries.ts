import sql, { empty } from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

export interface PasskeyRow {
  id: string;
  user_id: string;
  host: string;
  credential_id: Buffer;
  public_key: Buffer;
  user_handle: Buffer;
  counter: number;
  transports: string[];
  name: string;
  signs_in_alone: boolean;
  created_at: string;
  last_used_at: string | null;
}
const columns = sql`id, user_id, host, credential_id, public_key, user_handle, counter, transports, name,
  signs_in_alone, created_at, last_used_at`;

export const listPasskeys = (tx: Tx, userId: string) =>
  tx.many<PasskeyRow>(sql`select ${columns} from passkeys where user_id = ${userId} order by created_at, id`);

export const findPasskey = (tx: Tx, userId: string, id: string, lock?: 'lock') =>
  tx.maybe<PasskeyRow>(
    sql`select ${columns} from passkeys where user_id = ${userId} and id = ${id} ${lock ? sql`for update` : empty}`,
  );

/** The passkey of an answer, locked until its counter is stored. */
export const lockCredential = (tx: Tx, host: string, credentialId: Buffer) =>
  tx.maybe<PasskeyRow>(
    sql`select ${columns} from passkeys where host = ${host} and credential_id = ${credentialId} for update`,
  );

/** Answers whether the credential was new. */
export const insertPasskey = async (
  tx: Tx,
  it: Pick<
    PasskeyRow,
    'id' | 'user_id' | 'host' | 'credential_id' | 'public_key' | 'user_handle' | 'counter' | 'transports' | 'name'
  >,
): Promise<boolean> =>
  (await tx.run(sql`
    insert into passkeys (id, user_id, host, credential_id, public_key, user_handle, counter, transports, name)
    values (${it.id}, ${it.user_id}, ${it.host}, ${it.credential_id}, ${it.public_key}, ${it.user_handle}, ${it.counter},
      ${it.transports}, ${it.name})
    on conflict do nothing`)) > 0;

export const markUsed = (tx: Tx, id: string, counter: number) =>
  tx.run(sql`update passkeys set counter = ${counter}, last_used_at = now() where id = ${id}`);

export const renamePasskey = (tx: Tx, id: string, name: string) =>
  tx.run(sql`update passkeys set name = ${name} where id = ${id}`);

export const deletePasskey = (tx: Tx, id: string) => tx.run(sql`delete from passkeys where id = ${id}`);

/** After a new password each passkey signs in only together with the new password, once. */
export const askPasswordWithPasskeys = (tx: Tx, userId: string) =>
  tx.run(sql`update passkeys set signs_in_alone = false where user_id = ${userId}`);

export const trustAlone = (tx: Tx, id: string) =>
  tx.run(sql`update passkeys set signs_in_alone = true where id = ${id} and not signs_in_alone`);
