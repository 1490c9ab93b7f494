import { ActionIcon } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '#features/notifications/bell.module.css';
import { useLatest, useOwnInvitations } from '#features/notifications/notifications.api.ts';
import { api } from '#lib/api.ts';
import { formatNumber } from '#lib/format.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useLive } from '#lib/use-live.ts';
import { useUser } from '#lib/user.ts';

const AnchoredPopover = lazyPart(() => import('#ui/anchored-popover.tsx'), 'AnchoredPopover');
const LatestNotices = lazyPart(() => import('#features/notifications/latest-notices.tsx'), 'LatestNotices');

/** The bell in the header, with the number of unread notifications and open invitations. */
export function Bell() {
  const { t } = useTranslation('shell');
  const [opener, setOpener] = useState<HTMLElement>();
  const { two_factor } = useUser();
  // Until a required second factor is set up, the server refuses these requests.
  const enabled = two_factor.enabled || !two_factor.required;
  const latest = useLatest(enabled);
  const own = useOwnInvitations(enabled);
  useLive('notifications', api.notifications.list, api.team.own);
  useLive('team', api.team.own);
  const unread = latest.data?.meta.unread ?? 0;
  // A read invitation still counts until it is answered.
  const count = Math.max(unread, own.data?.data.length ?? 0);
  const label = count > 0 ? t('notificationsUnread', { count }) : t('notifications');
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={36}
        className={classes.bell ?? ''}
        aria-label={label}
        title={label}
        aria-haspopup="dialog"
        aria-expanded={opener !== undefined}
        onClick={event => setOpener(event.currentTarget)}
      >
        <IconBell size={19} stroke={1.7} aria-hidden />
        {count > 0 && (
          <span className={classes.count} aria-hidden="true">
            {count > 99 ? '99+' : formatNumber(count)}
          </span>
        )}
      </ActionIcon>
      {opener && (
        <AnchoredPopover
          label={label}
          button={opener}
          position="bottom-end"
          width="min(400px, 100vw - 24px)"
          onClose={() => setOpener(undefined)}
        >
          <LatestNotices latest={latest} own={own.data?.data ?? []} onClose={() => setOpener(undefined)} />
        </AnchoredPopover>
      )}
    </>
  );
}
