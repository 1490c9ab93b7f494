import { visibleText } from '@portico/contract/visible-text.ts';
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
 * Fields with text that others typed, such as the name of an access token or of a router. Mail programs turn `name.example` into a
 * link, so a name could carry any address to any mailbox.
 */
const typed: ReadonlySet<string> = new Set(['name', 'location', 'inviter', 'detail']);
const wordJoiner = '\u2060';

/** A text that another person chose, without the signs of which mail programs make links. */
export const withoutLinks = (text: string): string => breakLinks(visibleText(text), `$&${wordJoiner}`);

function unlinked(data: object): object {
  // The browser and the network address, which nothing typed stands in.
  const isOwn = 'change' in data && data.change === 'new_sign_in';
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => {
      if (typeof value !== 'string' || !typed.has(key) || (key === 'detail' && isOwn)) return [key, value];
      return [key, withoutLinks(value)];
    }),
  );
}

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
    /** It is not sent later than that, because the code in it is no longer valid then. */
    minutes?: number;
  },
): Promise<void> {
  if (limited.has(mail.template)) await requireMailLeft(tx, app);
  await insertMail(tx, {
    id: newId(),
    address: mail.to,
    language: mail.language,
    template: mail.template,
    data: app.secrets.encrypt(JSON.stringify(unlinked(mail.data))),
    locationId: mail.locationId ?? null,
    minutes: mail.minutes ?? null,
  });
}
