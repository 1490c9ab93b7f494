import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

/** The number of its guests who stay now. */
export const countStaying = async (tx: Tx, integrationId: string): Promise<number> =>
  (
    await tx.one<{ staying: number }>(sql`
      select count(*) as staying from visitors where integration_id = ${integrationId} and session_end_at > now()`)
  ).staying;

/** Whether the last report of the hotel had no guests where there had been some. */
export const findReadEmpty = async (tx: Tx, integrationId: string): Promise<boolean> =>
  (await tx.one<{ empty: boolean }>(sql`select last_read_empty as empty from integrations where id = ${integrationId}`))
    .empty;
