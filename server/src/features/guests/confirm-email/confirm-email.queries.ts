import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

export interface FreeVisitor {
  id: string;
  provider: 'temp' | 'email';
  email: string;
  confirmed: boolean;
}

/** A visitor with free access and an address. */
export const findFreeVisitor = (tx: Tx, visitorId: string, locationId: string) =>
  tx.maybe<FreeVisitor>(sql`
    select id, provider_type as provider, email, email_confirmed_at is not null as confirmed from visitors
    where id = ${visitorId} and location_id = ${locationId} and provider_type in ('temp', 'email') and email is not null`);
