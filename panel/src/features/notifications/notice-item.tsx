import { placeOfNotice } from '@portico/contract/notice-places.ts';
import type { Notification } from '@portico/contract/notifications.ts';
import {
  IconAddressBook,
  IconAlertTriangle,
  IconCertificate,
  IconLicense,
  IconMail,
  IconMessage,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlugConnected,
  IconPlugConnectedX,
  IconRouter,
  IconRouterOff,
  IconUserCheck,
  IconUserX,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { choose } from '#features/notifications/chosen-location.ts';
import { useMarkRead } from '#features/notifications/notifications.api.ts';
import classes from '#features/notifications/notifications.module.css';
import { seesAllLocations, useUser } from '#lib/user.ts';
import { RelativeTime } from '#ui/relative-time.tsx';

type Kind = Notification['kind'];

const icons = {
  device_offline: [IconRouterOff, 'bad'],
  device_online: [IconRouter, 'good'],
  commands_waiting: [IconRouterOff, 'warn'],
  failed_sign_ins: [IconUserX, 'bad'],
  certificate_ending: [IconCertificate, 'warn'],
  license_ending: [IconLicense, 'warn'],
  license_over: [IconLicense, 'bad'],
  location_suspended: [IconPlayerPause, 'bad'],
  location_resumed: [IconPlayerPlay, 'good'],
  customer_given: [IconAddressBook, 'plain'],
  license_requested: [IconLicense, 'plain'],
  sms_limit: [IconMessage, 'warn'],
  mail_limit: [IconMail, 'warn'],
  domain_unproven: [IconAlertTriangle, 'warn'],
  domain_stopped: [IconAlertTriangle, 'bad'],
  invitation_received: [IconMail, 'plain'],
  invitation_accepted: [IconUserCheck, 'good'],
  invitation_denied: [IconUserX, 'plain'],
  integration_failing: [IconPlugConnectedX, 'bad'],
  integration_recovered: [IconPlugConnected, 'good'],
  webhooks_left: [IconPlugConnected, 'warn'],
  login_host_refused: [IconAlertTriangle, 'warn'],
  controller_failing: [IconPlugConnectedX, 'bad'],
  controller_recovered: [IconPlugConnected, 'good'],
  log_chain_broken: [IconAlertTriangle, 'bad'],
  log_silence: [IconAlertTriangle, 'bad'],
  log_lines_quarantined: [IconAlertTriangle, 'warn'],
  clock_doubted: [IconAlertTriangle, 'warn'],
} as const satisfies Record<Kind, readonly [typeof IconMail, string]>;

/** A member sees one location at a time: the one of the notice, if another is active. */
function useElsewhere({ location_ids }: Notification): string | undefined {
  const user = useUser();
  const isHere = seesAllLocations(user) || location_ids.some(id => id === user.active_location?.id);
  return isHere ? undefined : location_ids[0];
}

/** Opening the link marks the notification as read; without a link there is a button. */
export function NoticeItem({ notice, onOpen }: { notice: Notification; onOpen?: () => void }) {
  const { t } = useTranslation('notifications');
  const read = useMarkRead();
  const [Icon, tone] = icons[notice.kind];
  const link = placeOfNotice(notice);
  const elsewhere = useElsewhere(notice);
  const [place, search] = link?.split('?') ?? [];
  const unread = notice.read_at === null;
  const markRead = () => unread && read.mutate(notice);
  return (
    <li className={classes.notice} data-unread={unread || undefined}>
      <span className={classes.icon} data-tone={tone}>
        <Icon size={18} stroke={1.7} aria-hidden />
      </span>
      <div>
        <strong>
          {unread && <span className="visually-hidden">{t('unread')}: </span>}
          {place ? (
            <Link
              to={elsewhere ? '/notifications/open' : place}
              search={elsewhere ? { location: elsewhere, to: link } : Object.fromEntries(new URLSearchParams(search))}
              onClick={() => {
                markRead();
                if (elsewhere) choose(elsewhere);
                onOpen?.();
              }}
              // With the middle button it opens in a new tab.
              onAuxClick={event => event.button === 1 && markRead()}
            >
              {notice.title}
            </Link>
          ) : (
            notice.title
          )}
        </strong>
        {notice.body && <p>{notice.body}</p>}
        <small>
          <RelativeTime time={notice.created_at} />
        </small>
      </div>
      {unread && (
        <button
          type="button"
          className={classes.dot}
          onClick={markRead}
          aria-label={`${t('read')}: ${notice.title}`}
          title={t('read')}
        />
      )}
    </li>
  );
}
