import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

export interface OutboxBatch {
  id: string;
  minutes: string;
  tops: string;
}

/** Adds a batch for ClickHouse. All queries here run under withSystem. */
export const addToOutbox = (tx: Tx, { minutes, tops }: Omit<OutboxBatch, 'id'>) =>
  tx.run(sql`insert into log_outbox (minutes, tops) values (${minutes}, ${tops})`);

export const listOutboxAfter = (tx: Tx, last: string | undefined) =>
  tx.many<OutboxBatch>(sql`
    select id, minutes, tops from log_outbox
    where ${last ?? null}::uuid is null or (created_at, id) > (select created_at, id from log_outbox where id = ${last ?? null})
    order by created_at, id limit 10`);

export const deleteFromOutbox = (tx: Tx, id: string) => tx.run(sql`delete from log_outbox where id = ${id}`);

export const countOutbox = async (tx: Tx): Promise<number> =>
  (await tx.one<{ n: number }>(sql`select count(*) as n from log_outbox`)).n;
