import type { Tx } from '#db/tenant.ts';
import { AppError } from '#http/app-error.ts';
import type { App } from '#lib/app.ts';
import { breakLinks } from '#lib/break-links.ts';
import { newId } from '#lib/ids.ts';
import type { MailData, MailLanguage, MailTemplate } from './mails.ts';
import { countMails, insertMail } from './outbox.queries.ts';

/** Mails to addresses that another person entered. The others concern an account that exists, and must arrive. */
const limited: ReadonlySet<MailTemplate> = new Set([
  'welcome',
  'account_exists',
  'invitation',
  'confirm_email',
  'confirm_guest_email',
  'own_data',
  'report',
]);

/**
 * Fields with text that the sender typed. Mail programs turn `name.example` into a link, so a name could carry any address to
 * any mailbox.
 */
const typed: ReadonlySet<string> = new Set(['name', 'location', 'inviter']);
const wordJoiner = '\u2060';

const unlinked = (data: object): object =>
  Object.fromEntries(
    Object.entries(data).map(([key, value]) => [
      key,
      typed.has(key) && typeof value === 'string' ? breakLinks(value, `$&${wordJoiner}`) : value,
    ]),
  );

/** Throws 429 once a tenant has caused so many mails in a day. All mails count. */
async function requireMailLeft(tx: Tx, { settings }: Pick<App, 'settings'>): Promise<void> {
  const limit = settings.MAILS_PER_DAY;
  if ((await countMails(tx, limit)) >= limit) throw new AppError('mails_over', { values: { limit } });
}

/** Queues a mail in the transaction of its cause. A job sends it after the commit. */
export async function queueMail<T extends MailTemplate>(
  tx: Tx,
  app: Pick<App, 'secrets' | 'settings'>,
  mail: {
    to: string;
    language: MailLanguage<T>;
    template: T;
    data: MailData[T];
    /** For a guest's mail: the location whose own mail server sends it, if it has one. */
    locationId?: string | undefined;
  },
): Promise<void> {
  const isLimited = limited.has(mail.template);
  if (isLimited) await requireMailLeft(tx, app);
  await insertMail(tx, {
    id: newId(),
    address: mail.to,
    language: mail.language,
    template: mail.template,
    data: app.secrets.encrypt(JSON.stringify(isLimited ? unlinked(mail.data) : mail.data)),
    locationId: mail.locationId ?? null,
  });
}
