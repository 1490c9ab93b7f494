import type { AuditEntry } from '@portico/contract/audit.ts';
import { auditKinds, auditVerbs } from '@portico/contract/audit-words.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAudit, useDownloadAudit } from '#features/audit/audit.api.ts';
import classes from '#features/audit/audit.module.css';
import { withTimes } from '#features/audit/changed-values.ts';
import { useAuditWords } from '#features/audit/use-audit-words.ts';
import { SettingsHeader } from '#features/tenants/public.ts';
import { formatDateTime, formatDay, formatExact, formatNumber } from '#lib/format.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useListSearch } from '#lib/search.ts';
import { useUser } from '#lib/user.ts';
import type { Column } from '#ui/data-table.tsx';
import { DaysEditor } from '#ui/days-editor.ts';
import { EmailText } from '#ui/email-text.tsx';
import { FileButton } from '#ui/file-button.tsx';
import { FilterBar } from '#ui/filter-bar.tsx';
import { ListTable } from '#ui/list-page.tsx';
import { RowName } from '#ui/row-name.tsx';
import { useTableLayout } from '#ui/table-layout.ts';
import { TableOptions } from '#ui/table-options.tsx';
import { Tag } from '#ui/tag.tsx';

const AuditDetails = lazyPart(() => import('#features/audit/audit-details.tsx'), 'AuditDetails');

const tones: Partial<Record<AuditEntry['verb'], 'good' | 'bad' | 'accent' | 'warn'>> = {
  create: 'good',
  accept: 'good',
  delete: 'bad',
  revoke: 'bad',
  deny: 'warn',
  grant: 'accent',
  invite: 'accent',
  update: 'accent',
};

/** The audit log: time, user, action, object and IP address. */
export function AuditPage() {
  const { t } = useTranslation('audit');
  const words = useAuditWords();
  const { locations } = useUser();
  const [search] = useListSearch();
  const entries = useAudit(search);
  const file = useDownloadAudit();
  const layout = useTableLayout('audit');
  const [open, setOpen] = useState<AuditEntry>();
  const total = entries.data?.meta.total;

  /** How many visitors, vouchers or sessions one entry is about. */
  const manyOf = ({ subject, before, after }: AuditEntry) => {
    const visitors = after?.['total_user'] ?? before?.['total_user'];
    if (typeof visitors === 'number') return t('visitors', { count: visitors });
    const count = after?.['count'];
    if (typeof count !== 'number') return undefined;
    if (subject.type === 'session') return t('sessions', { count });
    return subject.type === 'voucher-batch' ? t('vouchers', { count }) : undefined;
  };

  const columns: Column<AuditEntry>[] = [
    {
      key: 'who',
      label: t('who'),
      cell: row => (
        <span className={classes.who}>
          <RowName name={row.user.name || row.user.email} onOpen={() => setOpen(row)} />
          {row.user.name && (
            <small>
              <EmailText email={row.user.email} />
            </small>
          )}
        </span>
      ),
    },
    {
      key: 'what',
      label: t('what'),
      cell: row => (
        <span className={classes.what}>
          <Tag tone={tones[row.verb] ?? 'plain'}>{words.verb(row.verb, row.subject.type)}</Tag>
          {withTimes(row.subject.name, locations.find(({ id }) => id === row.location?.id)?.time_zone)}
          <span className={classes.kind} data-spare={(row.subject.name && !manyOf(row)) || undefined}>
            {manyOf(row) ?? words.kind(row.subject.type)}
          </span>
        </span>
      ),
      onPhone: true,
    },
    {
      key: 'location',
      label: t('location'),
      cell: row => (row.location ? (row.location.name ?? t('deletedLocation')) : '–'),
      from: 'md',
    },
    { key: 'ip', label: t('ip'), nowrap: true, cell: row => row.ip ?? '–', from: 'md' },
    {
      key: 'when',
      label: t('when'),
      nowrap: true,
      onPhone: true,
      cell: row => (
        <time dateTime={row.created_at} title={formatExact(row.created_at)}>
          {formatDateTime(row.created_at)}
        </time>
      ),
    },
  ];

  return (
    <>
      <SettingsHeader count={total} />
      <FilterBar
        search={{ key: 'search', placeholder: t('search') }}
        filters={[
          {
            key: 'days',
            label: t('period'),
            kind: 'custom',
            describe: value => value.split('_').map(formatDay).join(' – '),
            editor: (value = '', set) => {
              const [first = '', last = ''] = value.split('_');
              return <DaysEditor first={first} last={last} onChange={set} />;
            },
          },
          {
            key: 'verb',
            label: t('verbLabel'),
            kind: 'options',
            single: true,
            options: auditVerbs.map(verb => ({ value: verb, label: words.verb(verb) })),
          },
          {
            key: 'kind',
            label: t('kindLabel'),
            kind: 'options',
            single: true,
            options: auditKinds.map(kind => ({ value: kind, label: words.kind(kind) })),
          },
          {
            key: 'location',
            label: t('location'),
            kind: 'options',
            single: true,
            options: locations.map(({ id, name }) => ({ value: id, label: name })),
            offered: locations.length > 1,
          },
        ]}
      >
        <FileButton label={t('csv')} loading={file.isPending} disabled={!total} onClick={() => file.mutate(search)} />
        <TableOptions layout={layout} columns={columns} pageSizes={[50, 100, 200]} />
      </FilterBar>
      {total !== undefined && total > 0 && (
        <p className={classes.count}>{t('entries', { count: total, shown: formatNumber(total) })}</p>
      )}
      <ListTable
        label={t('title')}
        query={entries}
        columns={columns}
        rowKey={row => row.id}
        rowName={row => row.user.name || row.user.email}
        onRowClick={setOpen}
        layout={layout}
        filtered={['search', 'verb', 'kind', 'location', 'days']}
        empty={{ drawing: 'page', title: t('emptyTitle'), text: t('emptyText') }}
      />
      {open && <AuditDetails entry={open} onClose={() => setOpen(undefined)} />}
    </>
  );
}
