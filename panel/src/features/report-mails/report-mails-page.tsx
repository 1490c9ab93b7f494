import { Button } from '@mantine/core';
import type { ReportMail } from '@portico/contract/report-mails.ts';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDeleteReportMail, useReportMails } from '#features/report-mails/report-mails.api.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useLimited } from '#lib/permissions.ts';
import { useListSearch } from '#lib/search.ts';
import { useUser } from '#lib/user.ts';
import { type Column, DataTable } from '#ui/data-table.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { RowName } from '#ui/row-name.tsx';
import { Tag } from '#ui/tag.tsx';

const ReportMailForm = lazyPart(() => import('#features/report-mails/report-mail-form.tsx'), 'ReportMailForm');
const ConfirmDelete = lazyPart(() => import('#ui/confirm-delete.tsx'), 'ConfirmDelete');

/** Reports that go out by mail once a week or a month is over. */
export function ReportMailsPage() {
  const { t } = useTranslation(['report-mails', 'common']);
  const limited = useLimited();
  const everywhere = useUser().active_location === null;
  const [search] = useListSearch();
  const mails = useReportMails(search);
  const remove = useDeleteReportMail();
  const [editing, setEditing] = useState<ReportMail | 'new'>();
  const [deleting, setDeleting] = useState<ReportMail>();

  const add = !limited && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setEditing('new')}>
      {t('add')}
    </Button>
  );
  const columns: Column<ReportMail>[] = [
    {
      key: 'name',
      label: t('name'),
      cell: row => (
        <RowName name={row.name} onOpen={limited ? undefined : () => setEditing(row)}>
          {!row.is_active && <Tag tone="warn">{t('stopped')}</Tag>}
        </RowName>
      ),
    },
    ...(everywhere
      ? [{ key: 'location', label: t('location'), cell: (row: ReportMail) => row.location.name, from: 'lg' as const }]
      : []),
    { key: 'frequency', label: t('frequency'), cell: row => t(`every.${row.frequency}`), nowrap: true },
    {
      key: 'reports',
      label: t('reports'),
      cell: row => row.reports.map(it => t(`report.${it}`)).join(', '),
      from: 'md',
    },
    { key: 'recipients', label: t('recipients'), cell: row => row.recipients.join(', '), from: 'lg' },
    {
      key: 'last',
      label: t('last'),
      nowrap: true,
      cell: row => (row.last_sent_at ? <RelativeTime time={row.last_sent_at} /> : t('never')),
    },
  ];

  return (
    <>
      <PageHeader title={t('title')} count={mails.data?.meta.total} description={t('help')}>
        {add}
      </PageHeader>
      <DataTable
        label={t('title')}
        query={mails}
        columns={columns}
        rowKey={row => row.id}
        rowName={row => row.name}
        onRowClick={limited ? undefined : setEditing}
        rowActions={row => [
          ...(limited ? [] : [{ label: t('common:edit'), icon: IconPencil, onClick: () => setEditing(row) }]),
          { label: t('common:delete'), icon: IconTrash, onClick: () => setDeleting(row), danger: true },
        ]}
        empty={
          <EmptyState drawing="gauge" title={t('emptyTitle')} text={t(limited ? 'limitedText' : 'emptyText')}>
            {add}
          </EmptyState>
        }
      />
      {editing && (
        <ReportMailForm mail={editing === 'new' ? undefined : editing} onClose={() => setEditing(undefined)} />
      )}
      {deleting && (
        <ConfirmDelete
          name={deleting.name}
          pending={remove.isPending}
          onConfirm={() => remove.mutate(deleting, { onSuccess: () => setDeleting(undefined) })}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </>
  );
}
