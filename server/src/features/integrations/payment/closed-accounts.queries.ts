import type { IntegrationSlug } from '@portico/contract/integration-names.ts';
import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

/** What only the account can answer: payments that may still come, and refunds on their way. */
const isNeeded = sql`(
  exists (select from purchases b where b.tenant_id = a.tenant_id and b.integration_id = a.id and b.state in ('open', 'refunding'))
  or exists (select from licence_payments b where b.tenant_id = a.tenant_id and b.integration_id = a.id and b.state in ('open', 'refunding')))`;

/** Keeps an account from being deleted until the end of the transaction; false if it is gone. */
export const holdAccount = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx.maybe(sql`select 1 from integrations where id = ${id} for key share`)) !== undefined;

/** Keeps an account that is about to be deleted, if somebody is paying with it or waits for a refund. */
export const keepClosed = (tx: Tx, id: string) =>
  tx.run(sql`
    insert into closed_accounts (id, location_id, kind, name, connection)
    select a.id, a.location_id, a.kind, a.name, a.connection from integrations a where a.id = ${id} and ${isNeeded}`);

export const findClosed = (tx: Tx, id: string, kinds: readonly string[]) =>
  tx.maybe<{ id: string; name: string; location_id: string | null; kind: IntegrationSlug; connection: string }>(sql`
    select id, name, location_id, kind, connection from closed_accounts where id = ${id} and kind = any(${kinds})`);

/** Forgets the accounts that nobody waits for, and after 30 days those of refunds that a provider never answered. Across tenants. */
export const forgetClosed = (tx: Tx) =>
  tx.run(sql`delete from closed_accounts a where not ${isNeeded} or a.closed_at < now() - interval '30 days'`);
