import { fill } from '@portico/contract/errors.ts';
import { placeOfNotice } from '@portico/contract/notice-places.ts';
import { collected, isCollected, type NoticeKind } from '@portico/contract/notifications.ts';
import type { Tx } from '#db/tenant.ts';
import type { App } from '#lib/app.ts';
import { eachApart } from '#lib/each-apart.ts';
import { panelLink } from '#mail/links.ts';
import type { MailData } from '#mail/mails.ts';
import { queueMail, withoutLinks } from '#mail/outbox.ts';
import * as queries from './mails.queries.ts';
import { linkedLocations, type NotificationRow } from './notifications.queries.ts';
import { describe } from './notifications.service.ts';

/** When many devices fail at once, the rest of an hour's notices come with the daily mail. */
const mailsPerHour = 20;
/** The bell has all of them. */
const maxInOneMail = 50;
/** An outage names this many devices, and counts the others. */
const maxNamed = 10;

/** Queues one mail with all the notices that wait for it. A failure does not affect other users. */
export async function mailNotices(app: App): Promise<void> {
  const waiting = await app.db.withSystem(queries.listWaiting);
  await eachApart(app, waiting, it => app.db.withTenant(it.tenant_id, tx => mailWaiting(tx, app, it.user_id)));
}

async function mailWaiting(tx: Tx, app: App, userId: string): Promise<void> {
  if (!(await queries.lockWaiting(tx, userId))) return;
  if ((await queries.countRecent(tx, userId)) >= mailsPerHour) await queries.putOff(tx, userId);
  else await queueNotices(tx, app, await queries.takeForMail(tx, userId), null);
}

/** Mails the daily mails whose hour has come. */
export async function mailDigests(app: App): Promise<void> {
  const digests = await app.db.withSystem(queries.listDueDigests);
  await eachApart(app, digests, due => app.db.withTenant(due.tenant_id, tx => mailDigest(tx, app, due)));
}

/** Claims the day and queues its mail in one transaction, so that it is sent exactly once. */
async function mailDigest(tx: Tx, app: App, due: queries.DueDigest): Promise<void> {
  if (!(await queries.claimDay(tx, due.user_id, due.day))) return;
  await queueNotices(tx, app, await queries.takeForDigest(tx, due.user_id, due.moment), due.time_zone);
}

async function queueNotices(
  tx: Tx,
  app: App,
  waiting: readonly queries.MailedNotice[],
  digestZone: string | null,
): Promise<void> {
  const rows = newestOfDevices(waiting);
  const [first] = rows;
  if (!first) return;
  const { email, language, slug } = first;
  const nth = new Map<NoticeKind, number>();
  const lines: { title: string; body: string; at: string | null }[] = [];
  let counted = 0;
  for (const row of rows) {
    const n = nth.get(row.kind) ?? 0;
    nth.set(row.kind, n + 1);
    if (n < maxNamed || !isCollected(row.kind)) {
      const { title, body } = describe({ ...row, data: unlinked(row) }, language);
      lines.push({ title, body, at: digestZone && timeIn(row.created_at, digestZone, language) });
    } else if (n === maxNamed) {
      const others = rows.filter(it => it.kind === row.kind);
      const [, , more] = collected[row.kind][language];
      counted += others.length - maxNamed - 1;
      lines.push({
        title: fill(more, { others: (others.length - maxNamed).toLocaleString(language) }),
        body: listLink(app, slug, row.kind, others),
        at: null,
      });
    }
  }
  const data: MailData['notices'] = {
    digest: digestZone !== null,
    zone: digestZone,
    notices: lines.slice(0, maxInOneMail),
    more: Math.max(0, lines.length - maxInOneMail),
    counted,
    link: panelLink(app.settings, slug, '/notifications'),
  };
  await queueMail(tx, app, { to: email, language, template: 'notices', data });
}

/** A device that goes offline again and again is one device of an outage, so only its newest notice of a kind is mailed. */
function newestOfDevices(rows: readonly queries.MailedNotice[]): readonly queries.MailedNotice[] {
  const keyOf = ({ id, kind, device_id }: queries.MailedNotice) =>
    isCollected(kind) && device_id ? `${kind} ${device_id}` : id;
  const newest = new Set(new Map(rows.map(row => [keyOf(row), row.id])).values());
  return rows.filter(({ id }) => newest.has(id));
}

/** The list of the devices of some notices, or the notifications, which lead to devices at other locations of a member. */
function listLink(app: App, slug: string, kind: NoticeKind, rows: readonly queries.MailedNotice[]): string {
  if (rows.some(it => it.has_others)) return panelLink(app.settings, slug, '/notifications');
  const location_ids = [...new Set(rows.flatMap(it => it.location_id ?? []))].slice(0, linkedLocations);
  const place = placeOfNotice({ kind, device_id: null, location_id: null, devices: rows.length, location_ids });
  const [path = '', search] = place?.split('?') ?? [];
  return panelLink(app.settings, slug, path, Object.fromEntries(new URLSearchParams(search)));
}

/** Values that no stranger chose. They stay as they are, so that they can be copied. */
const own: ReadonlySet<string> = new Set([
  'address',
  'day',
  'days',
  'known',
  'limit',
  'lines',
  'now',
  'percent',
  'used',
]);
/** Hosts of the reader's own tenant. Other hosts are those that guests brought. */
const withOwnHost: ReadonlySet<NoticeKind> = new Set(['domain_unproven', 'domain_stopped']);

const unlinked = ({ kind, data }: Pick<NotificationRow, 'kind' | 'data'>): NotificationRow['data'] =>
  Object.fromEntries(
    Object.entries(data).map(([key, value]) => {
      const isOwn = own.has(key) || (key === 'host' && withOwnHost.has(kind));
      return [key, isOwn || typeof value !== 'string' ? value : withoutLinks(value)];
    }),
  );

const timeIn = (time: string, timeZone: string, language: 'tr' | 'en'): string =>
  new Intl.DateTimeFormat(language === 'tr' ? 'tr-TR' : 'en-GB', {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
  }).format(new Date(time));
