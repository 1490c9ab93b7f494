import { Button } from '@mantine/core';
import type { ImportedSession } from '@portico/contract/imports.ts';
import { IconFileImport } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useDownloadImported, useImportedSessions } from '#features/imports/imports.api.ts';
import classes from '#features/imports/imports.module.css';
import { PeriodEditor, readPeriod, useAddressFilters, useNameSearch } from '#features/sessions/public.ts';
import { formatDateTime, formatDay, formatMegabytes } from '#lib/format.ts';
import { useCan } from '#lib/permissions.ts';
import { useListSearch } from '#lib/search.ts';
import type { Column } from '#ui/data-table.tsx';
import { FileButton } from '#ui/file-button.tsx';
import { FilterBar } from '#ui/filter-bar.tsx';
import { ListTable } from '#ui/list-page.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { useSorting } from '#ui/sorting.ts';
import { useTableLayout } from '#ui/table-layout.ts';
import { TableOptions } from '#ui/table-options.tsx';

/** The visitor with this user name, if there is one, and the user name as the other program wrote it. */
function Guest({ row: { client, user_name }, opens }: { row: ImportedSession; opens: boolean }) {
  if (!client) return user_name || '–';
  return (
    <span>
      {opens ? (
        <Link to="/visitors/$visitorId" params={{ visitorId: client.id }}>
          {client.name}
        </Link>
      ) : (
        client.name
      )}{' '}
      <span className={classes.faint}>{user_name}</span>
    </span>
  );
}

/** Past sessions of another program. */
export function ImportedSessionsPage() {
  const { t } = useTranslation(['imports', 'sessions']);
  const [search] = useListSearch();
  const sorting = useSorting(['started'], { by: 'started', order: 'desc' });
  const layout = useTableLayout('imported-sessions');
  const sessions = useImportedSessions(search, sorting);
  const file = useDownloadImported();
  const filters = useAddressFilters();
  const can = useCan();
  const mayImport = can('store-clients');
  const opensVisitors = can('view-clients');
  const nameSearch = useNameSearch();
  const columns = useMemo<Column<ImportedSession>[]>(
    () => [
      { key: 'guest', label: t('sessions:guest'), cell: row => <Guest row={row} opens={opensVisitors} /> },
      { key: 'mac', label: t('sessions:mac'), nowrap: true, cell: row => row.client_mac ?? '–' },
      {
        key: 'ip',
        label: t('sessions:ip'),
        nowrap: true,
        cell: row => row.client_ip ?? '–',
        from: 'md',
      },
      { key: 'nas', label: t('nas'), nowrap: true, cell: row => row.nas || '–', from: 'lg' },
      { key: 'location', label: t('location'), cell: row => row.location.name, from: 'lg' },
      {
        key: 'start',
        label: t('sessions:start'),
        sort: { by: 'started', first: 'desc' },
        nowrap: true,
        cell: row => formatDateTime(row.started_at),
      },
      {
        key: 'end',
        label: t('sessions:ended'),
        nowrap: true,
        cell: row => formatDateTime(row.ended_at),
      },
      {
        key: 'download',
        label: t('sessions:downloadMb'),
        numeric: true,
        cell: row => formatMegabytes(row.download),
      },
      { key: 'upload', label: t('sessions:uploadMb'), numeric: true, cell: row => formatMegabytes(row.upload) },
      { key: 'cause', label: t('cause'), cell: row => row.terminate_cause || '–', from: 'lg' },
    ],
    [t, opensVisitors],
  );
  const describe = (value: string) => {
    const { name, days } = readPeriod(value);
    return name ? t(`sessions:period.${name}`) : days.map(formatDay).join(' – ');
  };
  return (
    <>
      <PageHeader
        title={t('importedSessions')}
        count={sessions.data?.meta.total}
        description={t('importedHelp')}
        parent={{ to: '/reports/session-history', label: t('sessions:history') }}
      >
        <FileButton
          label={t('sessions:csv')}
          loading={file.isPending}
          onClick={() => file.mutate(search)}
          disabled={!sessions.data?.meta.total}
        />
      </PageHeader>
      <FilterBar
        search={nameSearch}
        filters={[
          {
            key: 'period',
            label: t('sessions:periodLabel'),
            kind: 'custom',
            describe,
            editor: (value, set) => <PeriodEditor value={value} onChange={set} standard={null} />,
          },
          ...filters,
        ]}
      >
        <TableOptions layout={layout} columns={columns} />
      </FilterBar>
      <ListTable
        label={t('importedSessions')}
        query={sessions}
        columns={columns}
        sorting={sorting}
        layout={layout}
        rowKey={row => row.id}
        rowName={row => row.user_name || row.client_mac || row.id}
        filtered={['search', 'mac', 'ip', 'period']}
        empty={{
          drawing: 'clock',
          title: t('noImportedTitle'),
          ...(mayImport && {
            text: t('noImportedText'),
            action: (
              <Button component={Link} to="/visitors/import" leftSection={<IconFileImport size={16} />}>
                {t('importAction')}
              </Button>
            ),
          }),
        }}
      />
    </>
  );
}
