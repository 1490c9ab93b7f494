import type { Tx } from '#db/tenant.ts';
import type { App } from '#lib/app.ts';
import { newId } from '#lib/ids.ts';
import type { MailData, MailLanguage, MailTemplate } from './mails.ts';
import { insertMail } from './outbox.queries.ts';

/** Queues a mail in the transaction of its cause. A job sends it after the commit. */
export async function queueMail<T extends MailTemplate>(
  tx: Tx,
  app: Pick<App, 'secrets'>,
  mail: {
    to: string;
    language: MailLanguage<T>;
    template: T;
    data: MailData[T];
    /** For a guest's mail: the location whose own mail server sends it, if it has one. */
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
