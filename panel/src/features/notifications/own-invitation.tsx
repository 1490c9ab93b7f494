import { Button } from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useAcceptOwn, useDenyOwn, type useOwnInvitations } from '#features/notifications/notifications.api.ts';
import classes from '#features/notifications/notifications.module.css';
import { RelativeTime } from '#ui/relative-time.tsx';

export type Own = NonNullable<ReturnType<typeof useOwnInvitations>['data']>['data'][number];

/** An invitation to a location, with buttons to accept or decline. */
export function OwnInvitation({ own }: { own: Own }) {
  const { t } = useTranslation('notifications');
  const accept = useAcceptOwn();
  const deny = useDenyOwn();
  const pending = accept.isPending || deny.isPending;
  return (
    <article className={classes.invitation}>
      <span className={classes.icon} data-tone="accent">
        <IconMail size={18} stroke={1.7} aria-hidden />
      </span>
      <div>
        <strong>{t('invited', { location: own.location.name })}</strong>
        <p>
          {own.invited_by && `${t('invitedBy', { name: own.invited_by })} `}
          {t('expires')} <RelativeTime time={own.expires_at} />
        </p>
        <div className={classes.answers}>
          <Button size="xs" loading={accept.isPending} disabled={pending} onClick={() => accept.mutate(own)}>
            {t('accept')}
          </Button>
          <Button
            size="xs"
            variant="default"
            loading={deny.isPending}
            disabled={pending}
            onClick={() => deny.mutate(own)}
          >
            {t('deny')}
          </Button>
        </div>
      </div>
    </article>
  );
}
