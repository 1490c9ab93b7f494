import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

export interface Waiting {
  id: string;
  minutes: string;
  tops: string;
}

/** Rows on their way to ClickHouse; runs under withSystem, as all here. */
export const putOut = (tx: Tx, { minutes, tops }: Omit<Waiting, 'id'>) =>
  tx.run(sql`insert into log_outbox (minutes, tops) values (${minutes}, ${tops})`);

export const waitingAfter = (tx: Tx, last: string | undefined) =>
  tx.many<Waiting>(sql`
    select id, minutes, tops from log_outbox
    where ${last ?? null}::uuid is null or (created_at, id) > (select created_at, id from log_outbox where id = ${last ?? null})
    order by created_at, id limit 10`);

export const arrived = (tx: Tx, id: string) => tx.run(sql`delete from log_outbox where id = ${id}`);

export const countWaiting = async (tx: Tx): Promise<number> =>
  (await tx.one<{ n: number }>(sql`select count(*) as n from log_outbox`)).n;
