import { fill, type Language } from '@portico/contract/errors.ts';
import { noticeRules } from '@portico/contract/notice-kinds.ts';
import { type NoticeKind, type Notification, notices } from '@portico/contract/notifications.ts';
import type { Tx } from '#db/tenant.ts';
import type { Actor } from '#http/actor.ts';
import { found } from '#http/app-error.ts';
import {
  announce,
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
  const notified = await insertNotifications(tx, notice.to, {
    kind,
    data: notice.data,
    locationId: notice.locationId ?? null,
    deviceId: notice.deviceId ?? null,
    once: notice.once ?? null,
    way: kind === 'invitation_received' ? 'bell' : noticeRules[kind].way,
    ownMail: withOwnMail.has(kind),
  });
  // Announced to the whole tenant, because a receiver may be working in another location.
  if (notified.some(it => it.way !== 'off')) await announce(tx, 'notifications', null);
  return notified;
}

/** The notified users who want a mail at once. */
export const toMail = (notified: readonly Notified[]): string[] => [
  ...new Set(notified.filter(it => it.way === 'mail').map(it => it.userId)),
];

/** A notification in the language of its reader. */
export function describe(row: NotificationRow, language: Language): Notification {
  const [title, body] = notices[row.kind][language];
  return { ...row, title: fill(title, row.data), body: fill(body, row.data) };
}

export async function read(tx: Tx, actor: Actor, id: string): Promise<NotificationRow> {
  const row = found(await markRead(tx, actor, id));
  await announce(tx, 'notifications', null);
  return row;
}

export async function readAll(tx: Tx, actor: Actor): Promise<void> {
  if (await markAllRead(tx, actor)) await announce(tx, 'notifications', null);
}
