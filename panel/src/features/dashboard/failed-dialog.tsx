import { Modal } from '@mantine/core';
import type { FailedLogin } from '@portico/contract/sessions.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Attempts } from '#features/dashboard/attempts.tsx';
import { useFailedLogins, useOverview } from '#features/dashboard/dashboard.api.ts';
import { DialogFilterForm, noFilter } from '#features/dashboard/dialog-filter.tsx';
import classes from '#features/dashboard/dialogs.module.css';
import { formatNumber } from '#lib/format.ts';
import { useCan } from '#lib/permissions.ts';
import { useListSearch } from '#lib/search.ts';
import { EmptyState } from '#ui/empty-state.tsx';
import { FormSkeleton } from '#ui/form-skeleton.tsx';
import { LoadError } from '#ui/load-error.tsx';
import modal from '#ui/modal.module.css';
import { NoMatch } from '#ui/no-match.tsx';
import { Pagination } from '#ui/pagination.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';

/** Failed sign-ins within the dashboard's filter, grouped by guest device and address, with the entered values. */
export function FailedDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['dashboard', 'common']);
  const [search] = useListSearch();
  const readsNames = useCan()('view-clients');
  const first = (readsNames && search.typed) || '';
  const [filter, setFilter] = useState({ ...noFilter, mac: search.mac ?? '', typed: first });
  const query = useFailedLogins(search, filter);
  const entries = query.data?.data ?? [];
  const tries = useOverview(search).data?.data.failed_logins;
  const guests = query.data?.meta.total;
  const filtered = filter.mac || filter.ip || filter.typed;
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('metric.failed_logins')}
      size={860}
      classNames={{ ...modal, body: `${modal.body} ${classes.body}` }}
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <DialogFilterForm mac={search.mac} typed={readsNames ? first : undefined} onFilter={setFilter} />
      {!query.data &&
        (query.error ? (
          <LoadError error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <FormSkeleton fields={4} />
        ))}
      {query.data &&
        entries.length === 0 &&
        (filtered ? (
          <NoMatch />
        ) : (
          <EmptyState drawing="closed" title={t('failedEmptyTitle')} text={t('failedEmptyText')} />
        ))}
      {entries.length > 0 && guests !== undefined && (
        <p className={classes.grouped}>
          {filtered || tries === undefined
            ? t('groups', { count: guests, guests: formatNumber(guests) })
            : t('triesOf', { count: guests, guests: formatNumber(guests), tries: formatNumber(tries) })}
        </p>
      )}
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
