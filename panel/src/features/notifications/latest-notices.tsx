import { Link } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { NoticeItem } from '#features/notifications/notice-item.tsx';
import { type useLatest, useMarkAllRead } from '#features/notifications/notifications.api.ts';
import classes from '#features/notifications/notifications.module.css';
import { type Own, OwnInvitation } from '#features/notifications/own-invitation.tsx';
import { LoadError } from '#ui/load-error.tsx';

interface Props {
  latest: ReturnType<typeof useLatest>;
  own: readonly Own[];
  onClose: () => void;
}

/** The popover of the bell. */
export function LatestNotices(props: Props) {
  return (
    <Suspense fallback={<div className={classes.loading} />}>
      <Latest {...props} />
    </Suspense>
  );
}

function Latest({ latest, own, onClose }: Props) {
  const { t } = useTranslation(['notifications', 'common']);
  const readAll = useMarkAllRead();
  const notices = latest.data?.data ?? [];
  const [newest] = notices;
  return (
    <section aria-label={t('title')} className={classes.latest}>
      <header>
        <h2>{t('title')}</h2>
        {(latest.data?.meta.unread ?? 0) > 0 && newest && (
          <button type="button" onClick={() => readAll.mutate(newest)} disabled={readAll.isPending}>
            {t('readAll')}
          </button>
        )}
      </header>
      <div className={classes.scroll}>
        {own.map(each => (
          <OwnInvitation key={each.id} own={each} />
        ))}
        {latest.isPending && <div className={classes.loading} role="status" aria-label={t('common:loading')} />}
        {latest.error && !latest.data && <LoadError error={latest.error} onRetry={() => void latest.refetch()} />}
        {latest.data && notices.length === 0 && own.length === 0 && <p className={classes.none}>{t('emptyTitle')}</p>}
        {notices.length > 0 && (
          <ul className={classes.list}>
            {notices.map(notice => (
              <NoticeItem key={notice.id} notice={notice} onOpen={onClose} />
            ))}
          </ul>
        )}
      </div>
      <footer>
        <Link to="/notifications" onClick={onClose}>
          {t('all')}
        </Link>
      </footer>
    </section>
  );
}
