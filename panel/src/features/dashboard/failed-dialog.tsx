import { Modal } from '@mantine/core';
import type { FailedLogin } from '@portico/contract/sessions.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Attempts } from '#features/dashboard/attempts.tsx';
import { useFailedLogins } from '#features/dashboard/dashboard.api.ts';
import { DialogFilterForm, noFilter } from '#features/dashboard/dialog-filter.tsx';
import classes from '#features/dashboard/dialogs.module.css';
import { formatNumber } from '#lib/format.ts';
import { useListSearch } from '#lib/search.ts';
import { EmptyState } from '#ui/empty-state.tsx';
import { FormSkeleton } from '#ui/form-skeleton.tsx';
import { LoadError } from '#ui/load-error.tsx';
import modal from '#ui/modal.module.css';
import { NoMatch } from '#ui/no-match.tsx';
import { Pagination } from '#ui/pagination.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';

/** Failed sign-ins of the dashboard's filter, by guest device and address, with what was typed. */
export function FailedDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['dashboard', 'common']);
  const [search] = useListSearch();
  const [filter, setFilter] = useState(noFilter);
  const query = useFailedLogins(search, filter);
  const entries = query.data?.data ?? [];
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('metric.failed_logins')}
      size={860}
      classNames={{ ...modal, body: `${modal.body} ${classes.body}` }}
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <DialogFilterForm onFilter={setFilter} />
      {!query.data &&
        (query.error ? (
          <LoadError error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <FormSkeleton fields={4} />
        ))}
      {query.data &&
        entries.length === 0 &&
        (filter.mac || filter.ip ? (
          <NoMatch />
        ) : (
          <EmptyState drawing="closed" title={t('failedEmptyTitle')} text={t('failedEmptyText')} />
        ))}
      <ul className={classes.entries} data-busy={query.isPlaceholderData || undefined}>
        {entries.map(entry => (
          <Entry key={`${entry.client_mac} ${entry.client_ip}`} entry={entry} />
        ))}
      </ul>
      {query.data && <Pagination meta={query.data.meta} onPage={page => setFilter({ ...filter, page })} />}
    </Modal>
  );
}

function Entry({ entry }: { entry: FailedLogin }) {
  const { t } = useTranslation('dashboard');
  return (
    <li className={classes.entry}>
      <dl>
        <div>
          <dt>{t('macAddress')}</dt>
          <dd>{entry.client_mac ?? '–'}</dd>
        </div>
        <div>
          <dt>{t('ipAddress')}</dt>
          <dd>{entry.client_ip ?? '–'}</dd>
        </div>
        <div>
          <dt>{t('tryCount')}</dt>
          <dd>{formatNumber(entry.total)}</dd>
        </div>
        <div>
          <dt>{t('lastTry')}</dt>
          <dd>
            <RelativeTime time={entry.last_at} />
          </dd>
        </div>
      </dl>
      <Attempts entry={entry} />
    </li>
  );
}
