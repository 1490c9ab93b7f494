import type { SmtpConnection } from '@portico/contract/integration-kinds.ts';
import type { App } from '#lib/app.ts';
import { letterMessage, type OwnTransport } from '#mail/transport.ts';
import { reportFailure, reportRecovery } from '../health.ts';
import { findOfKind } from '../integrations.queries.ts';
import { problemOf } from '../problems.ts';
import { openMailer } from './smtp.ts';

/** The transport of a guest's mail if its location has its own mail server. */
export async function ownMail(
  app: App,
  at: { tenantId: string; locationId: string },
): Promise<OwnTransport | undefined> {
  const inTenant = <T>(work: Parameters<typeof app.db.withTenant<T>>[1]) => app.db.withTenant(at.tenantId, work);
  const row = await inTenant(tx => findOfKind(tx, at.locationId, ['smtp']));
  if (!row) return undefined;
  return async (letter, signal) => {
    try {
      const connection = JSON.parse(app.secrets.decrypt(row.connection)) as SmtpConnection;
      const mailer = await openMailer(app, connection);
      const from = { name: connection.from_name, address: connection.from_address };
      const message = { ...letterMessage({ ...letter, from }), ...{ signal } };
      await mailer.sendMail(message).finally(() => mailer.close());
      await inTenant(tx => reportRecovery(tx, row));
    } catch (error) {
      // One unknown mailbox is not a failure of the server.
      const ofRecipient = (error as { command?: string }).command === 'RCPT TO';
      if (!ofRecipient) await inTenant(tx => reportFailure(tx, row, problemOf(error)));
      throw error;
    }
  };
}
