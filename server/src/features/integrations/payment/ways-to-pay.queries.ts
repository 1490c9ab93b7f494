import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

/** How guests of a location can pay: at a payment provider, and in which currencies on the bill of their room. */
export interface WaysToPay {
  card: boolean;
  rooms: readonly string[];
}

export const findWaysToPay = (tx: Tx, locationId: string, providers: readonly string[]) =>
  tx.one<{ card: boolean; rooms: string[] }>(sql`
    select exists (select from integrations where location_id = ${locationId} and kind = any(${[...providers]})) as card,
      array(select distinct currency from hotel_links where location_id = ${locationId} and currency is not null) as rooms`);
