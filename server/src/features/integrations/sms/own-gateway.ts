import { type SmsConnection } from '@portico/contract/integration-kinds.ts';
import { smsSlugs } from '@portico/contract/integration-names.ts';
import type { App } from '#lib/app.ts';
import type { OwnGateway } from '#sms/gateway.ts';
import { reportFailure, reportRecovery } from '../health.ts';
import { findOfKind } from '../integrations.queries.ts';
import { IntegrationError, problemOf } from '../problems.ts';
import { reportsDelivery, sendBy } from './send.ts';

/** The gateway of a location, if it has its own. */
export async function ownGateway(
  app: App,
  at: { tenantId: string; locationId: string },
): Promise<OwnGateway | undefined> {
  const inTenant = <T>(work: Parameters<typeof app.db.withTenant<T>>[1]) => app.db.withTenant(at.tenantId, work);
  const row = await inTenant(tx => findOfKind(tx, at.locationId, [...smsSlugs]));
  if (!row) return undefined;
  const stored = app.secrets.read(row.connection);
  const connection = stored === undefined ? undefined : (JSON.parse(stored) as SmsConnection);
  return {
    integrationId: row.id,
    reportsDelivery: connection !== undefined && reportsDelivery(connection),
    async send(message) {
      try {
        if (!connection) throw new IntegrationError('secret_unreadable');
        const id = await sendBy(app, connection, message);
        await inTenant(tx => reportRecovery(tx, row));
        return id;
      } catch (error) {
        const problem = problemOf(error);
        await inTenant(tx => reportFailure(tx, row, problem));
        throw problem;
      }
    },
  };
}
