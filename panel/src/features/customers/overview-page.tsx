import { Button } from '@mantine/core';
import { customerOrders } from '@portico/contract/customer-kinds.ts';
import type { CustomerState } from '@portico/contract/customers.ts';
import { IconCalendarPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConcernCards } from '#features/customers/concern-cards.tsx';
import { useDownloadOverview, useOverview } from '#features/customers/customers.api.ts';
import { useCustomerTabs } from '#features/customers/use-customer-tabs.ts';
import { useCustomersTitle } from '#features/customers/use-customers-title.ts';
import { useOverviewColumns } from '#features/customers/use-overview-columns.tsx';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useListSearch } from '#lib/search.ts';
import { showsLicences } from '#lib/tenant.ts';
import { FileButton } from '#ui/file-button.tsx';
import { FilterBar } from '#ui/filter-bar.tsx';
import { ListTable } from '#ui/list-page.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { useSelection } from '#ui/selection.ts';
import { useSorting } from '#ui/sorting.ts';
import { useTableLayout } from '#ui/table-layout.ts';
import { TableOptions } from '#ui/table-options.tsx';

const ExtendLicences = lazyPart(() => import('#features/customers/extend-licences.tsx'), 'ExtendLicences');

/** All customers, with those that need attention: ending licences, offline devices, SMS running out. */
export function OverviewPage() {
  const { t } = useTranslation('customers');
  const [search] = useListSearch();
  const overview = useOverview(search);
  const file = useDownloadOverview();
  const layout = useTableLayout('customers');
  const selection = useSelection((it: CustomerState) => it.id);
  const sorting = useSorting(customerOrders, { by: 'ends_at', order: 'asc' });
  const [extending, setExtending] = useState(false);
  // Reseller hosts do not show licences.
  const licensed = showsLicences();
  const columns = useOverviewColumns();
  const states = ['in_demo', 'suspended', 'active'] as const;

  return (
    <>
      <PageHeader title={useCustomersTitle(overview.data?.meta.total)} tabs={useCustomerTabs()}>
        <FileButton label={t('overview.file')} loading={file.isPending} onClick={() => file.mutate(search)} />
        {licensed && (
          <Button
            leftSection={<IconCalendarPlus size={16} />}
            disabled={selection.rows.size === 0}
            onClick={() => setExtending(true)}
          >
            {selection.rows.size > 0 ? t('extend.open', { count: selection.rows.size }) : t('extend.none')}
          </Button>
        )}
      </PageHeader>
      <ConcernCards totals={overview.data?.totals} licensed={licensed} />
      <FilterBar
        search={{ key: 'name', placeholder: t('search') }}
        filters={[
          {
            key: 'license',
            label: t('filter.label'),
            kind: 'options',
            single: true,
            options: states.map(value => ({ value, label: t(`filter.${value}`) })),
          },
        ]}
      >
        <TableOptions layout={layout} columns={columns} pageSizes={[15, 50, 100, 200]} />
      </FilterBar>
      <ListTable
        label={t('tabs.overview')}
        query={overview}
        columns={columns}
        sorting={sorting}
        layout={layout}
        selection={licensed ? selection : undefined}
        rowKey={row => row.id}
        rowName={row => row.name}
        filtered={['name', 'license', 'concern']}
        empty={{ drawing: 'venue', title: t('emptyTitle'), text: t('emptyText') }}
      />
      {extending && (
        <ExtendLicences customers={selection.rows} onDone={selection.clear} onClose={() => setExtending(false)} />
      )}
    </>
  );
}
