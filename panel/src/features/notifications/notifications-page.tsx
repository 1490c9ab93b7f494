import { Button } from '@mantine/core';
import { IconChecks } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { NoticeItem } from '#features/notifications/notice-item.tsx';
import {
  useLatest,
  useMarkAllRead,
  useNotifications,
  useOwnInvitations,
} from '#features/notifications/notifications.api.ts';
import classes from '#features/notifications/notifications.module.css';
import { OwnInvitation } from '#features/notifications/own-invitation.tsx';
import { useListSearch } from '#lib/search.ts';
import { FilterBar } from '#ui/filter-bar.tsx';
import { FormSkeleton } from '#ui/form-skeleton.tsx';
import { EmptyList } from '#ui/list-page.tsx';
import { LoadError } from '#ui/load-error.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { Pagination } from '#ui/pagination.tsx';

/** All notifications of the user. The bell refreshes them. */
export function NotificationsPage() {
  const { t } = useTranslation('notifications');
  const [search] = useListSearch();
  const notices = useNotifications(search);
  // On a later page, the newest that the reader has seen is the newest under the bell.
  const newest = useLatest(true).data?.data[0];
  const own = useOwnInvitations(true).data?.data ?? [];
  const readAll = useMarkAllRead();
  const { data } = notices;
  return (
    <>
      <PageHeader
        title={t('title')}
        count={data?.meta.total}
        description={
          <Link to="/account/notifications" className={classes.choose}>
            {t('choose')}
          </Link>
        }
      >
        <Button
          variant="default"
          leftSection={<IconChecks size={16} />}
          loading={readAll.isPending}
          // Until the newest is known, this would mark those too that the reader has not seen.
          disabled={!data?.meta.unread || !newest}
          onClick={() => newest && readAll.mutate(newest)}
        >
          {t('readAll')}
        </Button>
      </PageHeader>
      <FilterBar
        filters={[
          {
            key: 'unread',
            label: t('show'),
            kind: 'options',
            single: true,
            options: [{ value: 'yes', label: t('unreadOnly') }],
          },
        ]}
      />
      <div className={classes.page}>
        {own.map(each => (
          <OwnInvitation key={each.id} own={each} />
        ))}
        {notices.error && !data && <LoadError error={notices.error} onRetry={() => void notices.refetch()} />}
        {notices.isPending && <FormSkeleton fields={6} />}
        {data?.data.length === 0 && own.length === 0 && (
          <EmptyList filtered={['unread']} empty={{ drawing: 'clock', title: t('emptyTitle'), text: t('emptyText') }} />
        )}
        {data && data.data.length > 0 && (
          <ul className={classes.list}>
            {data.data.map(notice => (
              <NoticeItem key={notice.id} notice={notice} />
            ))}
          </ul>
        )}
      </div>
      {data && <Pagination meta={data.meta} />}
    </>
  );
}
