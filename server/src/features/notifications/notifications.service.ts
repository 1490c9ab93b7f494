import { fill, type Language } from '@portico/contract/errors.ts';
import { noticeRules } from '@portico/contract/notice-kinds.ts';
import {
  collected,
  isCollected,
  type NoticeKind,
  type Notification,
  notices,
} from '@portico/contract/notifications.ts';
import type { Tx } from '#db/tenant.ts';
import type { Actor } from '#http/actor.ts';
import { found } from '#http/app-error.ts';
import {
  announce,
  type EntryRow,
  insertNotifications,
  markAllRead,
  markRead,
  type NotificationRow,
  type Notified,
  type Receivers,
} from './notifications.queries.ts';

export interface Notice {
  readonly kind: NoticeKind;
  readonly to: Receivers;
  /** Fills the `{places}` of the kind's text. */
  readonly data: Record<string, string | number>;
  readonly locationId?: string | null;
  readonly deviceId?: string | null;
  /** Each receiver is notified once per key, such as `license_ending:<location>:7`. */
  readonly once?: string;
}

/** Kinds with a mail of their own, which their feature queues for the receivers whose way is `mail`. */
const withOwnMail: ReadonlySet<NoticeKind> = new Set([
  'license_requested',
  'license_ending',
  'license_over',
  'invitation_accepted',
]);

/**
 * Notifies users in the transaction of the event, each in the way that the user chose. Returns the users who were notified
 * and their ways. A job sends the mails.
 */
export async function notify(tx: Tx, notice: Notice): Promise<Notified[]> {
  const { kind } = notice;
  const rule = kind === 'invitation_received' ? ({ way: 'bell', permission: undefined } as const) : noticeRules[kind];
  const notified = await insertNotifications(tx, notice.to, {
    kind,
    data: notice.data,
    locationId: notice.locationId ?? null,
    deviceId: notice.deviceId ?? null,
    once: notice.once ?? null,
    way: rule.way,
    permission: rule.permission ?? null,
    ownMail: withOwnMail.has(kind),
    collects: isCollected(kind),
  });
  // Announced to the whole tenant, because a receiver may be working in another location.
  if (notified.some(it => it.way !== 'off')) await announce(tx, 'notifications', null);
  return notified;
}

/** The notified users who want a mail at once. */
export const toMail = (notified: readonly Notified[]): string[] => [
  ...new Set(notified.filter(it => it.way === 'mail').map(it => it.userId)),
];

/** The texts of a notice in the language of its reader. */
export function describe<Row extends NotificationRow>(row: Row, language: Language) {
  const [title, body] = notices[row.kind][language];
  return { ...row, title: fill(title, row.data), body: fill(body, row.data) };
}

/** An entry of the bell. One of several devices names a few of them. */
export function describeEntry({ examples, ...row }: EntryRow, language: Language): Notification {
  if (row.devices < 2 || !isCollected(row.kind)) return describe(row, language);
  const [title, more] = collected[row.kind][language];
  const { location } = row.data;
  const names = [
    ...new Set(
      examples.map(it => (row.location_id === null && it.location ? `${it.device} (${it.location})` : `${it.device}`)),
    ),
  ];
  const others = row.devices - names.length;
  const list = new Intl.ListFormat(language).format(others > 0 ? [...names, fill(more, { others })] : names);
  const count = row.devices.toLocaleString(language);
  return {
    ...row,
    data: row.location_id && location !== undefined ? { devices: row.devices, location } : { devices: row.devices },
    title: fill(title, { count }),
    body: row.location_id && location !== undefined ? `${location}: ${list}` : list,
  };
}

export async function read(tx: Tx, actor: Actor, id: string): Promise<EntryRow> {
  const row = found(await markRead(tx, actor, id));
  await announce(tx, 'notifications', null);
  return row;
}

export async function readAll(tx: Tx, actor: Actor, until: string | undefined): Promise<void> {
  if (await markAllRead(tx, actor, until)) await announce(tx, 'notifications', null);
}
