import { smsSlugs } from '@portico/contract/integration-names.ts';
import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

/** Whether a location has an SMS gateway of its own. */
export const hasGateway = async (tx: Tx, locationId: string): Promise<boolean> =>
  (await tx.maybe(
    sql`select 1 from integrations where location_id = ${locationId} and kind = any(${[...smsSlugs]}) limit 1`,
  )) !== undefined;
