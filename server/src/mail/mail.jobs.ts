import type { App } from '#lib/app.ts';
import { counter } from '#lib/metrics.ts';
import { UnreadableSecret } from '#lib/secrets.ts';
import { htmlOf, textOf } from './layout.ts';
import { panelLink, pictureLink } from './links.ts';
import { choicesOf, type MailData, type MailTemplate, write } from './mails.ts';
import { claimDueMails, type DueMail, forgetOldMails, markFailed, markSent, postpone } from './outbox.queries.ts';
import { type Letter, type OwnTransport, openTransport, type Transport } from './transport.ts';

// Growing pauses over about a day, then the mail has failed.
const pauses = [30, 120, 600, 1800, 3600, 3 * 3600, 6 * 3600, 12 * 3600];
const leaseSeconds = 300;
const mails = counter('portico_mails_total', 'Mails by outcome', ['outcome']);

/** The address of MAIL_FROM under the brand's name. */
function sender(mailFrom: string, brand: string): Letter['from'] {
  const address =
    /<([^<>\s]+@[^<>\s]+)>\s*$/.exec(mailFrom)?.[1] ?? (mailFrom.includes('@') ? mailFrom.trim() : undefined);
  return address ? { name: brand, address } : mailFrom;
}

function letterOf({ settings, secrets }: App, mail: DueMail): Letter {
  const data = JSON.parse(secrets.decrypt(mail.data)) as MailData[MailTemplate];
  const venue = 'venue' in data ? data.venue : undefined;
  const brand = {
    name: venue && 'location' in data ? data.location : mail.brand_name,
    color: venue ? venue.color : mail.primary_color,
    logo: pictureLink(settings, mail.slug, venue ? venue.logo : mail.landing_logo),
  };
  const template = mail.template as MailTemplate;
  const choices = panelLink(settings, mail.slug, '/account/notifications');
  const words = {
    ...write(template, mail.language, data, brand.name),
    ...choicesOf(template, mail.language, choices),
  };
  return {
    id: mail.id,
    from: sender(settings.MAIL_FROM, brand.name),
    to: mail.address,
    subject: words.subject,
    html: htmlOf(words, brand, mail.language),
    text: textOf(words, brand),
    attachments: 'attachments' in data ? data.attachments : [],
  };
}

/** True for a permanent failure: unknown mailbox, not allowed, unreadable mail. */
const isFinal = (error: unknown): boolean => {
  if (error instanceof UnreadableSecret) return true;
  const { responseCode, command } = (error ?? {}) as { responseCode?: number; command?: string };
  return (responseCode ?? 0) >= 500 && command !== 'CONN' && !command?.startsWith('AUTH');
};

/** Finds the mail server of a location, if it has its own. */
export type FindTransport = (
  app: App,
  at: { tenantId: string; locationId: string },
) => Promise<OwnTransport | undefined>;

async function deliver(app: App, transport: Transport, find: FindTransport, mail: DueMail): Promise<void> {
  try {
    const own = mail.location_id
      ? await find(app, { tenantId: mail.tenant_id, locationId: mail.location_id })
      : undefined;
    await (own ?? transport.send)(letterOf(app, mail));
    await app.db.withSystem(tx => markSent(tx, mail));
    mails.inc({ outcome: 'sent' });
  } catch (error) {
    const why = (error as Error).message.replace(mail.address, '…').slice(0, 300);
    const pause = pauses[mail.attempts - 1];
    const over = isFinal(error) || pause === undefined;
    await app.db.withSystem(tx => (over ? markFailed(tx, mail, why) : postpone(tx, mail, why, pause)));
    mails.inc({ outcome: over ? 'failed' : 'postponed' });
    app.log.warn(
      { mail: mail.id, template: mail.template, attempt: mail.attempts, why },
      over ? 'mail given up' : 'mail postponed',
    );
  }
}

/** Sends due mails. Returns how many were claimed. */
export async function sendMails(app: App, find: FindTransport = async () => undefined): Promise<number> {
  const transport = openTransport(app.settings);
  let taken = 0;
  try {
    for (;;) {
      const due = await app.db.withSystem(tx => claimDueMails(tx, 20, leaseSeconds));
      for (const mail of due) await deliver(app, transport, find, mail);
      taken += due.length;
      if (due.length < 20) return taken;
    }
  } finally {
    transport.close();
  }
}

/** A feature passes `find`, because this folder must not import features. */
export const mailJobs = (find: FindTransport) => [
  { name: 'mails', everyMs: 2000, run: async (app: App) => void (await sendMails(app, find)) },
  {
    name: 'old mails',
    everyMs: 6 * 3_600_000,
    erases: true as const,
    run: async (app: App) => void (await app.db.withSystem(forgetOldMails)),
  },
];
