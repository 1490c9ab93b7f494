import { SegmentedControl } from '@mantine/core';
import { foreignFile, sessionFile } from '@portico/contract/import-kinds.ts';
import type { ImportRow } from '@portico/contract/imports.ts';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAnnounce, useDeleteImport, useImports, useSendFile, useUpload } from '#features/imports/imports.api.ts';
import { ApiError } from '#lib/client.ts';
import { formatBytes, formatDateTime, formatNumber } from '#lib/format.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useLimited } from '#lib/permissions.ts';
import { useListSearch } from '#lib/search.ts';
import { useWorkingLocation } from '#lib/working-location.ts';
import { Card } from '#ui/card.tsx';
import { CsvFileField } from '#ui/csv-file-field.tsx';
import type { Column } from '#ui/data-table.tsx';
import { ListTable, useListPage } from '#ui/list-page.tsx';
import modal from '#ui/modal.module.css';
import { Notice } from '#ui/notice.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { RowName } from '#ui/row-name.tsx';
import { Steps } from '#ui/steps.tsx';

const LocationField = lazyPart(() => import('#ui/location-field.tsx'), 'LocationField', 'in-place');

/** The first step of an import from another program: its file. Below it, the imports until now. */
export function ImportsPage() {
  const { t } = useTranslation(['imports', 'visitors']);
  const navigate = useNavigate();
  const [search] = useListSearch();
  const imports = useImports(search);
  const list = useListPage<ImportRow>();
  const remove = useDeleteImport();
  const isLimited = useLimited();
  const [kind, setKind] = useState<'visitors' | 'sessions'>('visitors');
  const uploads = { visitors: useUpload(), sessions: useAnnounce() };
  const send = useSendFile();
  const upload = uploads[kind];
  const [locationId, setLocationId] = useState(useWorkingLocation());
  const [file, setFile] = useState<File>();
  const failure = upload.error;
  const most = { visitors: foreignFile, sessions: sessionFile }[kind].bytes;
  const isTooLarge = file !== undefined && file.size > most;
  const refusals =
    failure instanceof ApiError ? (failure.errors['file'] ?? failure.errors['bytes'] ?? [failure.message]) : [];
  const problems = isTooLarge ? [t(`tooLarge.${kind}`, { name: file.name, size: formatBytes(file.size) })] : refusals;
  const show = (id: string) => void navigate({ to: '/visitors/import/$importId', params: { importId: id } });
  const take = (chosen: File | undefined) => {
    if (!chosen || upload.isPending) return;
    setFile(chosen);
    upload.reset();
    if (chosen.size > most) return;
    upload.mutate(
      { file: chosen, locationId },
      {
        onSuccess: ({ data: { id } }) => {
          if (kind === 'sessions') send.mutate({ id, file: chosen });
          show(id);
        },
      },
    );
  };
  const columns: Column<ImportRow>[] = [
    {
      key: 'file',
      label: t('file'),
      cell: row => <RowName name={row.file_name} onOpen={() => show(row.id)} />,
    },
    { key: 'source', label: t('program'), cell: row => t(`source.${row.source}`), from: 'md' },
    { key: 'location', label: t('location'), cell: row => row.location.name, from: 'md' },
    { key: 'state', label: t('state.label'), cell: row => t(`state.${row.state}`), onPhone: true },
    { key: 'total', label: t('rows'), numeric: true, cell: row => formatNumber(row.total), onPhone: 'labelled' },
    {
      key: 'created',
      label: t('visitors:createdAt'),
      nowrap: true,
      cell: row => formatDateTime(row.created_at),
      onPhone: true,
    },
  ];
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t(`help.${kind}`)}
        parent={{ to: '/visitors', label: t('visitors:title') }}
      />
      <Steps
        label={t('steps.label')}
        steps={[t('steps.file'), t(kind === 'sessions' ? 'steps.reportOnly' : 'steps.report'), t('steps.run')]}
        at={0}
      />
      <Card>
        <div className={modal.fields}>
          {/* Past sessions belong to no device. */}
          {!isLimited && (
            <SegmentedControl
              aria-label={t('kind.label')}
              value={kind}
              disabled={upload.isPending}
              onChange={value => {
                setKind(value as typeof kind);
                setFile(undefined);
                upload.reset();
              }}
              data={[
                { value: 'visitors', label: t('kind.visitors') },
                { value: 'sessions', label: t('kind.sessions') },
              ]}
            />
          )}
          <LocationField value={locationId} onChange={setLocationId} />
          <CsvFileField
            file={file}
            disabled={!locationId}
            pending={upload.isPending}
            limits={t(kind === 'sessions' ? 'sessionLimits' : 'limits')}
            drop={t('drop')}
            accept={kind === 'sessions' ? '.sql,.txt' : '.sql,.rsc,.csv,.txt'}
            onFile={take}
          />
          {problems.length > 0 && (
            <Notice tone="bad" title={t('refused')}>
              {problems.join(' ')}
            </Notice>
          )}
        </div>
      </Card>
      <ListTable
        list={list}
        label={t('earlier')}
        query={imports}
        columns={columns}
        rowKey={row => row.id}
        rowName={row => row.file_name}
        onRowClick={row => show(row.id)}
        rowActions={row => [row.state !== 'deleting' && list.deleteAction(row)]}
        filtered={false}
        empty={{ drawing: 'people', title: t('emptyTitle'), text: t('emptyText') }}
        deletion={{
          mutation: remove,
          text: row => {
            if (row.source === 'sessions') return t(row.state === 'running' ? 'stopSessions' : 'deleteSessions');
            return t(row.state === 'running' ? 'stopText' : 'deleteText');
          },
        }}
      />
    </>
  );
}
