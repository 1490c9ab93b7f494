import type { Integration } from '@portico/contract/integrations.ts';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useDeleteIntegration, useIntegrations } from '#features/integrations/integrations.api.ts';
import classes from '#features/integrations/integrations.module.css';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useCan } from '#lib/permissions.ts';
import { useListSearch } from '#lib/search.ts';
import type { Column } from '#ui/data-table.tsx';
import { FilterBar } from '#ui/filter-bar.tsx';
import { AddButton, ListTable, useListPage } from '#ui/list-page.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { StatusDot } from '#ui/status-dot.tsx';

const IntegrationWizard = lazyPart(() => import('#features/integrations/integration-wizard.tsx'), 'IntegrationWizard');

export function IntegrationsPage() {
  const { t } = useTranslation(['integrations', 'common']);
  const can = useCan();
  const navigate = useNavigate();
  const open = (row: Integration) =>
    void navigate({ to: '/integrations/$integrationId/edit', params: { integrationId: row.id } });
  const [search] = useListSearch();
  const integrations = useIntegrations(search);
  const remove = useDeleteIntegration();
  const list = useListPage<Integration>();
  const add = can('store-integrations') && <AddButton label={t('add')} onClick={list.add} />;
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
    { key: 'type', label: t('type'), cell: row => row.type.name, from: 'md', onPhone: true },
    { key: 'location', label: t('location'), cell: row => row.location?.name ?? t('wholeTenant'), from: 'md' },
    {
      key: 'activity',
      onPhone: true,
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
      <ListTable
        list={list}
        label={t('title')}
        query={integrations}
        columns={columns}
        rowKey={row => row.id}
        rowName={row => row.name}
        onRowClick={open}
        rowActions={row => [list.editAction(row, open), can('delete-integrations') && list.deleteAction(row)]}
        filtered={['search']}
        empty={{ drawing: 'page', title: t('emptyTitle'), text: t('emptyText'), action: add }}
        form={(_, close) => <IntegrationWizard onClose={close} />}
        deletion={{ mutation: remove, title: t('confirmDelete'), text: row => t('deleteText', { name: row.name }) }}
      />
    </>
  );
}
