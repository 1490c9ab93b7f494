import type { ReportMail } from '@portico/contract/report-mails.ts';
import { useTranslation } from 'react-i18next';
import { useDeleteReportMail, useReportMails } from '#features/report-mails/report-mails.api.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useLimited } from '#lib/permissions.ts';
import { useListSearch } from '#lib/search.ts';
import { useUser } from '#lib/user.ts';
import type { Column } from '#ui/data-table.tsx';
import { AddButton, ListTable, useListPage } from '#ui/list-page.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { RowName } from '#ui/row-name.tsx';
import { Tag } from '#ui/tag.tsx';

const ReportMailForm = lazyPart(() => import('#features/report-mails/report-mail-form.tsx'), 'ReportMailForm');

/** Reports that are sent by e-mail every week or month. */
export function ReportMailsPage() {
  const { t } = useTranslation(['report-mails', 'common']);
  const limited = useLimited();
  const everywhere = useUser().active_location === null;
  const [search] = useListSearch();
  const mails = useReportMails(search);
  const remove = useDeleteReportMail();
  const list = useListPage<ReportMail>();
  const add = !limited && <AddButton label={t('add')} onClick={list.add} />;
  const columns: Column<ReportMail>[] = [
    {
      key: 'name',
      label: t('name'),
      cell: row => (
        <RowName name={row.name} onOpen={limited ? undefined : () => list.edit(row)}>
          {!row.is_active && <Tag tone="warn">{t('stopped')}</Tag>}
        </RowName>
      ),
    },
    ...(everywhere
      ? [
          {
            key: 'location',
            label: t('location'),
            cell: (row: ReportMail) => row.location.name,
            from: 'lg' as const,
            onPhone: true as const,
          },
        ]
      : []),
    { key: 'frequency', label: t('frequency'), cell: row => t(`every.${row.frequency}`), nowrap: true, onPhone: true },
    {
      key: 'reports',
      onPhone: true,
      label: t('reports'),
      cell: row => row.reports.map(it => t(`report.${it}`)).join(', '),
      from: 'md',
    },
    { key: 'recipients', label: t('recipients'), cell: row => row.recipients.join(', '), from: 'lg' },
    {
      key: 'last',
      onPhone: 'labelled',
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
      <ListTable
        list={list}
        label={t('title')}
        query={mails}
        columns={columns}
        rowKey={row => row.id}
        rowName={row => row.name}
        onRowClick={limited ? undefined : list.edit}
        rowActions={row => [!limited && list.editAction(row), list.deleteAction(row)]}
        empty={{
          drawing: 'gauge',
          title: t('emptyTitle'),
          text: t(limited ? 'limitedText' : 'emptyText'),
          action: add,
        }}
        form={(mail, close) => <ReportMailForm mail={mail} onClose={close} />}
        deletion={{ mutation: remove }}
      />
    </>
  );
}
