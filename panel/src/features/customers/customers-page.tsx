import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CustomerList } from '#features/customers/customer-list.tsx';
import { CustomerPanel } from '#features/customers/customer-panel.tsx';
import { type LicenseFilter, useCustomer, useCustomers, useSelectTeam } from '#features/customers/customers.api.ts';
import classes from '#features/customers/customers.module.css';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useListSearch } from '#lib/search.ts';
import { EmptyState } from '#ui/empty-state.tsx';
import { FormSkeleton } from '#ui/form-skeleton.tsx';
import { LoadError } from '#ui/load-error.tsx';
import { PageHeader } from '#ui/page-header.tsx';

const CustomerCreate = lazyPart(() => import('#features/customers/customer-create.tsx'), 'CustomerCreate');

const filters = ['all', 'in_demo', 'suspended', 'active'] as const satisfies readonly LicenseFilter[];
const filterOf = (value: string | undefined): LicenseFilter => filters.find(each => each === value) ?? 'all';

/** The customers of a reseller or tenant at the left, what is set for the chosen one at the right. */
export function CustomersPage() {
  const { t } = useTranslation('customers');
  const [search, change] = useListSearch();
  const [creating, setCreating] = useState(false);
  const customers = useCustomers({ license: filterOf(search.license), name: search.name });
  const chosen = useCustomer(search.customer);
  const team = useSelectTeam();
  const select = (id: string) => {
    change({ customer: id });
    team.mutate(id);
  };
  const total = customers.data?.pages[0]?.meta.total;
  return (
    <>
      <PageHeader title={t('title')} count={total}>
        <Button leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
          {t('add')}
        </Button>
      </PageHeader>
      <div className={classes.sides} data-chosen={search.customer ? true : undefined}>
        <CustomerList
          customers={customers}
          license={filterOf(search.license)}
          chosen={search.customer}
          onSelect={select}
          // A list of other customers leaves none of them chosen.
          onFilter={license => change({ license: license === 'all' ? undefined : license, customer: undefined })}
        />
        <section className={classes.panel} aria-label={chosen.data?.data.name ?? t('none')}>
          {!search.customer && <EmptyState drawing="venue" title={t('none')} text={t('noneText')} />}
          {search.customer && chosen.error && !chosen.data && (
            <LoadError error={chosen.error} onRetry={() => void chosen.refetch()} />
          )}
          {search.customer && chosen.isPending && <FormSkeleton fields={4} />}
          {search.customer && chosen.data && (
            <CustomerPanel customer={chosen.data.data} onBack={() => change({ customer: undefined, tab: undefined })} />
          )}
        </section>
      </div>
      {creating && <CustomerCreate onCreated={select} onClose={() => setCreating(false)} />}
    </>
  );
}
