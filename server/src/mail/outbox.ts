import type { Language } from '@portico/contract/errors.ts';
import type { Tx } from '#db/tenant.ts';
import type { App } from '#lib/app.ts';
import { newId } from '#lib/ids.ts';
import type { MailData, MailTemplate } from './mails.ts';
import { insertMail } from './outbox.queries.ts';

/** Puts a mail into the outbox, in the transaction of what it tells of: a job sends it after the commit. */
export async function queueMail<T extends MailTemplate>(
  tx: Tx,
  app: Pick<App, 'secrets'>,
  mail: {
    to: string;
    language: Language;
    template: T;
    data: MailData[T];
    /** Of a guest's mail: it goes by this location's own mail server, if that has one. */
    locationId?: string | undefined;
  },
): Promise<void> {
  await insertMail(tx, {
    id: newId(),
    address: mail.to,
    language: mail.language,
    template: mail.template,
    data: app.secrets.encrypt(JSON.stringify(mail.data)),
    locationId: mail.locationId ?? null,
  });
}
