import type { App } from '#lib/app.ts';
import { counter } from '#lib/metrics.ts';
import { oneLine } from '#lib/one-line.ts';
import { UnreadableSecret } from '#lib/secrets.ts';
import { steadyNow } from '#lib/steady-clock.ts';
import { htmlOf, textOf } from './layout.ts';
import { panelLink, pictureLink } from './links.ts';
import { choicesOf, type MailData, type MailTemplate, write } from './mails.ts';
import {
  claimDueMails,
  type DueMail,
  dropExpired,
  forgetOldMails,
  giveBack,
  markFailed,
  markSent,
  postpone,
} from './outbox.queries.ts';
import { type Letter, type OwnTransport, openTransport } from './transport.ts';

// Growing pauses over about a day, then the mail has failed.
const pauses = [30, 120, 600, 1800, 3600, 3 * 3600, 6 * 3600, 12 * 3600];
const leaseSeconds = 300;
/** A server that sends a few bytes now and then must not hold a mail for longer. */
const longestMs = 60_000;
/** After so many mails in a row without an answer, the others wait for the server. One alone may be at fault itself. */
const unansweredInARow = 2;
const awaySeconds = 30;
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

/** The mails that one server gets, in order. */
interface Batch {
  readonly send: OwnTransport;
  readonly mails: DueMail[];
}

/** Mails by their server: the id of the location that has its own, or '' for that of the installation. */
async function byServer(
  app: App,
  { find, main, due }: { find: FindTransport; main: OwnTransport; due: readonly DueMail[] },
): Promise<Map<string, Batch>> {
  const batches = new Map<string, Batch>();
  const servers = new Map<string, OwnTransport | undefined>();
  for (const mail of due.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const { tenant_id: tenantId, location_id: locationId } = mail;
    if (locationId && !servers.has(locationId)) {
      const own = await find(app, { tenantId, locationId }).catch((error: unknown) => () => Promise.reject(error));
      servers.set(locationId, own);
    }
    const own = locationId ? servers.get(locationId) : undefined;
    const server = own && locationId ? locationId : '';
    const batch = batches.get(server) ?? { send: own ?? main, mails: [] };
    batch.mails.push(mail);
    batches.set(server, batch);
  }
  return batches;
}

/** Tells whether the server answered. */
async function deliver(app: App, send: OwnTransport, mail: DueMail): Promise<boolean> {
  try {
    await send(letterOf(app, mail), AbortSignal.timeout(longestMs));
    await app.db.withSystem(tx => markSent(tx, mail));
    mails.inc({ outcome: 'sent' });
    return true;
  } catch (error) {
    const why = oneLine((error as Error).message.replaceAll(mail.address, '…'));
    const pause = pauses[mail.attempts - 1];
    const over = isFinal(error) || pause === undefined;
    await app.db.withSystem(tx => (over ? markFailed(tx, mail, why) : postpone(tx, mail, why, pause)));
    mails.inc({ outcome: over ? 'failed' : 'postponed' });
    app.log.warn(
      { mail: mail.id, template: mail.template, attempt: mail.attempts, why },
      over ? 'mail given up' : 'mail postponed',
    );
    return isFinal(error) || (error as { responseCode?: number }).responseCode !== undefined;
  }
}

/** Sends mails one after another, as long as their server answers and their lease is long enough. */
async function deliverAll(app: App, { send, mails }: Batch): Promise<void> {
  const until = steadyNow() + leaseSeconds * 1000 - longestMs;
  let unanswered = 0;
  for (const [i, mail] of mails.entries()) {
    const isAway = unanswered >= unansweredInARow;
    if (isAway || steadyNow() > until) {
      const rest = mails.slice(i);
      if (isAway) app.log.warn({ mails: rest.length }, 'the mail server is away: other mails wait');
      return void (await app.db.withSystem(tx => giveBack(tx, rest, isAway ? awaySeconds : 0)));
    }
    unanswered = (await deliver(app, send, mail)) ? 0 : unanswered + 1;
  }
}

/**
 * Sends due mails. Returns how many were claimed. `busy` has the servers to which mails are being sent. A slow one delays
 * its own mails only.
 */
export async function sendMails(
  app: App,
  find: FindTransport = async () => undefined,
  busy: Set<string> = new Set(),
): Promise<number> {
  const transport = openTransport(app.settings);
  let taken = 0;
  let waits = false;
  const sendBatch = async ([server, batch]: [string, Batch]): Promise<void> => {
    if (busy.has(server)) {
      waits = true;
      return void (await app.db.withSystem(tx => giveBack(tx, batch.mails, awaySeconds)));
    }
    busy.add(server);
    await deliverAll(app, batch).finally(() => busy.delete(server));
  };
  try {
    const expired = await app.db.withSystem(dropExpired);
    if (expired > 0) mails.inc({ outcome: 'expired' }, expired);
    for (;;) {
      const due = await app.db.withSystem(tx => claimDueMails(tx, 20, leaseSeconds, [...busy]));
      const batches = await byServer(app, { find, main: transport.send, due });
      // All, because the end of this function closes the connections.
      const ends = await Promise.allSettled([...batches].map(sendBatch));
      for (const end of ends) if (end.status === 'rejected') throw end.reason;
      taken += due.length;
      if (due.length < 20 || waits) return taken;
    }
  } finally {
    transport.close();
  }
}

/** A feature passes `find`, because this folder must not import features. */
export const mailJobs = (find: FindTransport, busy = new Set<string>()) => [
  { name: 'mails', everyMs: 2000, patienceMs: 2000, run: async (app: App) => void (await sendMails(app, find, busy)) },
  {
    name: 'old mails',
    everyMs: 6 * 3_600_000,
    erases: true as const,
    run: async (app: App) => void (await app.db.withSystem(forgetOldMails)),
  },
];
