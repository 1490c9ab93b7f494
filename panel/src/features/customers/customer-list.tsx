import { SegmentedControl } from '@mantine/core';
import type { Location } from '@portico/contract/locations.ts';
import { useTranslation } from 'react-i18next';
import type { LicenseFilter, useCustomers } from '#features/customers/customers.api.ts';
import classes from '#features/customers/customers.module.css';
import { WindowedList } from '#features/customers/windowed-list.tsx';
import { useListSearch } from '#lib/search.ts';
import { tenant } from '#lib/tenant.ts';
import { EmptyState } from '#ui/empty-state.tsx';
import { FilterBar } from '#ui/filter-bar.tsx';
import { FormSkeleton } from '#ui/form-skeleton.tsx';
import { LicenceState } from '#ui/licence-state.tsx';
import { LoadError } from '#ui/load-error.tsx';

interface Props {
  customers: ReturnType<typeof useCustomers>;
  license: LicenseFilter;
  chosen: string | undefined;
  onSelect: (id: string) => void;
  onFilter: (license: LicenseFilter) => void;
}

const filters = ['all', 'in_demo', 'suspended', 'active'] as const;

export function CustomerList({ customers, license, chosen, onSelect, onFilter }: Props) {
  const { t } = useTranslation('customers');
  const [search] = useListSearch();
  const rows = customers.data?.pages.flatMap(page => page.data) ?? [];
  const filtered = Boolean(search.name) || license !== 'all';
  return (
    <aside className={classes.side} aria-label={t('title')}>
      <SegmentedControl
        fullWidth
        size="xs"
        aria-label={t('filter.label')}
        data={filters.map(value => ({ value, label: t(`filter.${value}`) }))}
        value={license}
        onChange={value => onFilter(value as LicenseFilter)}
      />
      <FilterBar search={{ key: 'name', placeholder: t('search') }} />
      {customers.error && !customers.data && (
        <LoadError error={customers.error} onRetry={() => void customers.refetch()} />
      )}
      {customers.isPending && <FormSkeleton fields={4} />}
      {customers.data && rows.length === 0 && (
        <EmptyState
          drawing={filtered ? 'search' : 'venue'}
          title={t('emptyTitle')}
          text={t(filtered ? 'noMatchText' : 'emptyText')}
        />
      )}
      {rows.length > 0 && (
        <WindowedList
          label={t('title')}
          rows={rows}
          height={cardHeight}
          rowKey={row => row.id}
          onNearEnd={() => customers.hasNextPage && !customers.isFetching && void customers.fetchNextPage()}
        >
          {row => <CustomerCard customer={row} chosen={row.id === chosen} onSelect={() => onSelect(row.id)} />}
        </WindowedList>
      )}
    </aside>
  );
}

/** As customers.module.css draws a card, with the gap below it. */
const cardHeight = 96;

function CustomerCard({ customer, chosen, onSelect }: { customer: Location; chosen: boolean; onSelect: () => void }) {
  return (
    <button type="button" className={classes.card} aria-pressed={chosen} onClick={onSelect}>
      <strong>{customer.name}</strong>
      <span>{customer.address || '–'}</span>
      <small>
        <LicenceState of={customer} withDate={tenant().variant !== 'reseller'} />
      </small>
    </button>
  );
}
