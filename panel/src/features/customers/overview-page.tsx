import { customerOrders } from '@portico/contract/customer-kinds.ts';
import type { CustomerState } from '@portico/contract/customers.ts';
import { IconCalendarPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConcernCards } from '#features/customers/concern-cards.tsx';
import { loadOverview, useDownloadOverview, useOverview } from '#features/customers/customers.api.ts';
import { useCustomerTabs } from '#features/customers/use-customer-tabs.ts';
import { useCustomersTitle } from '#features/customers/use-customers-title.ts';
import { useOverviewColumns } from '#features/customers/use-overview-columns.tsx';
import { lazyPart } from '#lib/lazy-part.tsx';
import { isOfSelection } from '#lib/queries.ts';
import { useListSearch } from '#lib/search.ts';
import { showsLicences } from '#lib/tenant.ts';
import { useChooseEvery } from '#ui/choose-every.tsx';
import { FileButton } from '#ui/file-button.tsx';
import { FilterBar } from '#ui/filter-bar.tsx';
import { ListTable } from '#ui/list-page.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { matchingOf, useSelection } from '#ui/selection.ts';
import { SelectionAction, SelectionBar } from '#ui/selection-bar.tsx';
import { useSorting } from '#ui/sorting.ts';
import { useTableLayout } from '#ui/table-layout.ts';
import { TableOptions } from '#ui/table-options.tsx';

const ExtendLicences = lazyPart(() => import('#features/customers/extend-licences.tsx'), 'ExtendLicences');

/** The most customers whose licences are extended in one request. */
const mostAtOnce = 1000;

/** All customers, with those that need attention: ending licences, offline devices, SMS running out. */
export function OverviewPage() {
  const { t } = useTranslation('customers');
  const [search] = useListSearch();
  const overview = useOverview(search);
  const file = useDownloadOverview();
  const layout = useTableLayout('customers');
  const selection = useSelection((it: CustomerState) => it.id);
  const every = useChooseEvery(
    selection,
    matchingOf(overview, most => loadOverview(search, most)),
    mostAtOnce,
  );
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
      {selection.rows.size > 0 && (
        <SelectionBar count={selection.rows.size} onClear={selection.clear} every={every}>
          <SelectionAction
            icon={IconCalendarPlus}
            label={t('extend.open', { count: selection.rows.size })}
            onClick={() => setExtending(true)}
          />
        </SelectionBar>
      )}
      {extending && (
        <ExtendLicences
          customers={selection.rows}
          onDone={selection.clear}
          onError={error => {
            selection.clearIfRefused(error);
            if (isOfSelection(error)) setExtending(false);
          }}
          onClose={() => setExtending(false)}
        />
      )}
    </>
  );
}
