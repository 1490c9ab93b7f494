import { Button } from '@mantine/core';
import type { Integration } from '@portico/contract/integrations.ts';
import { IconEdit, IconPlus, IconTrash } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDeleteIntegration, useIntegrations } from '#features/integrations/integrations.api.ts';
import classes from '#features/integrations/integrations.module.css';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useCan } from '#lib/permissions.ts';
import { useListSearch } from '#lib/search.ts';
import { type Column, DataTable } from '#ui/data-table.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { FilterBar } from '#ui/filter-bar.tsx';
import { NoMatch } from '#ui/no-match.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { StatusDot } from '#ui/status-dot.tsx';

const IntegrationWizard = lazyPart(() => import('#features/integrations/integration-wizard.tsx'), 'IntegrationWizard');
const ConfirmDelete = lazyPart(() => import('#ui/confirm-delete.tsx'), 'ConfirmDelete');

export function IntegrationsPage() {
  const { t } = useTranslation(['integrations', 'common']);
  const can = useCan();
  const navigate = useNavigate();
  const open = (row: Integration) =>
    void navigate({ to: '/integrations/$integrationId/edit', params: { integrationId: row.id } });
  const [search] = useListSearch();
  const integrations = useIntegrations(search);
  const remove = useDeleteIntegration();
  const [creating, setCreating] = useState(false);
  const [deleting, setDeleting] = useState<Integration>();
  const add = can('store-integrations') && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
      {t('add')}
    </Button>
  );
  const columns: Column<Integration>[] = [
    {
      key: 'name',
      label: t('name'),
      cell: row => (
        <span className={classes.name}>
          <img src={row.type.logo} alt="" title={row.type.name} width={22} height={22} loading="lazy" />
          <Link to="/integrations/$integrationId/edit" params={{ integrationId: row.id }}>
            {row.name}
          </Link>
        </span>
      ),
    },
    { key: 'type', label: t('type'), cell: row => row.type.name, from: 'md' },
    { key: 'location', label: t('location'), cell: row => row.location.name, from: 'md' },
    {
      key: 'activity',
      label: t('lastActivity'),
      cell: row =>
        row.last_worked_at ? (
          <StatusDot tone={row.last_error ? 'bad' : 'good'}>
            <RelativeTime time={row.last_worked_at} />
          </StatusDot>
        ) : (
          <StatusDot tone="idle">{t('never')}</StatusDot>
        ),
    },
    {
      key: 'error',
      label: t('problem'),
      cell: row => (row.last_error ? <span className={classes.problem}>{row.last_error}</span> : '–'),
      from: 'lg',
    },
  ];
  return (
    <>
      <PageHeader title={t('title')} count={integrations.data?.meta.total}>
        {add}
      </PageHeader>
      <FilterBar search={{ key: 'search', placeholder: t('search') }} />
      <DataTable
        label={t('title')}
        query={integrations}
        columns={columns}
        rowKey={row => row.id}
        rowName={row => row.name}
        onRowClick={open}
        rowActions={row => [
          { label: t('common:edit'), icon: IconEdit, onClick: () => open(row) },
          ...(can('delete-integrations')
            ? [{ label: t('common:delete'), icon: IconTrash, onClick: () => setDeleting(row), danger: true }]
            : []),
        ]}
        empty={
          search.search ? (
            <NoMatch />
          ) : (
            <EmptyState drawing="page" title={t('emptyTitle')} text={t('emptyText')}>
              {add}
            </EmptyState>
          )
        }
      />
      {creating && <IntegrationWizard onClose={() => setCreating(false)} />}
      {deleting && (
        <ConfirmDelete
          name={deleting.name}
          title={t('confirmDelete')}
          text={t('deleteText', { name: deleting.name })}
          pending={remove.isPending}
          onConfirm={() => remove.mutate(deleting, { onSuccess: () => setDeleting(undefined) })}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </>
  );
}
