import { ActionIcon, SegmentedControl } from '@mantine/core';
import type { Location } from '@portico/contract/locations.ts';
import { IconRefresh } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { filters, type LicenseFilter, type useCustomers } from '#features/customers/customers.api.ts';
import classes from '#features/customers/customers.module.css';
import { VirtualList } from '#features/customers/virtual-list.tsx';
import { useListSearch } from '#lib/search.ts';

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
  onReload: () => void;
}

export function CustomerList({ customers, license, chosen, onSelect, onFilter, onReload }: Props) {
  const { t } = useTranslation('customers');
  const [search] = useListSearch();
  const { total, error, rowAt } = customers;
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
      <FilterBar search={{ key: 'name', placeholder: t('search') }}>
        <ActionIcon variant="default" size={36} aria-label={t('reload')} title={t('reload')} onClick={onReload}>
          <IconRefresh size={17} stroke={1.7} aria-hidden />
        </ActionIcon>
      </FilterBar>
      {error && total === undefined && <LoadError error={error} onRetry={() => void customers.refetch()} />}
      {!error && total === undefined && <FormSkeleton fields={4} />}
      {total === 0 && (
        <EmptyState
          drawing={filtered ? 'search' : 'venue'}
          title={t('emptyTitle')}
          text={t(filtered ? 'noMatchText' : 'emptyText')}
        />
      )}
      {total !== undefined && total > 0 && (
        <VirtualList
          // A new list starts at the top.
          key={`${license} ${search.name ?? ''}`}
          label={t('title')}
          total={total}
          height={cardHeight}
          onSee={customers.see}
        >
          {place => {
            const customer = rowAt(place);
            if (!customer) return <div className={classes.card} data-waiting aria-hidden />;
            return (
              <CustomerCard
                customer={customer}
                chosen={customer.id === chosen}
                onSelect={() => onSelect(customer.id)}
              />
            );
          }}
        </VirtualList>
      )}
    </aside>
  );
}

/** The height of a card in customers.module.css, with the gap. */
const cardHeight = 96;

function CustomerCard({ customer, chosen, onSelect }: { customer: Location; chosen: boolean; onSelect: () => void }) {
  return (
    <button type="button" className={classes.card} aria-pressed={chosen} onClick={onSelect}>
      <strong>{customer.name}</strong>
      <span>{customer.address || '–'}</span>
      <small>
        <LicenceState of={customer} />
      </small>
    </button>
  );
}
