import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CustomerList } from '#features/customers/customer-list.tsx';
import {
  filters,
  type LicenseFilter,
  useCustomer,
  useCustomers,
  useReloadCustomers,
  useSelectTeam,
} from '#features/customers/customers.api.ts';
import classes from '#features/customers/customers.module.css';
import { useCustomerTabs } from '#features/customers/use-customer-tabs.ts';
import { useCustomersTitle } from '#features/customers/use-customers-title.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useListSearch } from '#lib/search.ts';
import { useUser } from '#lib/user.ts';
import { EmptyState } from '#ui/empty-state.tsx';
import { FormSkeleton } from '#ui/form-skeleton.tsx';
import { LoadError } from '#ui/load-error.tsx';
import { PageHeader } from '#ui/page-header.tsx';

const CustomerPanel = lazyPart(() => import('#features/customers/customer-panel.tsx'), 'CustomerPanel', 'in-place');
const CustomerCreate = lazyPart(() => import('#features/customers/customer-create.tsx'), 'CustomerCreate');

const filterOf = (value: string | undefined): LicenseFilter => filters.find(each => each === value) ?? 'all';

/** The customers of a reseller or tenant on the left, the settings of the selected one on the right. */
export function CustomersPage() {
  const { t } = useTranslation('customers');
  const [search, change] = useListSearch();
  const [creating, setCreating] = useState(false);
  const license = filterOf(search.license);
  const customers = useCustomers({ license, name: search.name });
  const chosen = useCustomer(search.customer);
  const reload = useReloadCustomers();
  const leave = () => change({ customer: undefined, tab: undefined });
  useTeamOf(search.customer, leave);

  // A new search clears the selection.
  const name = useRef(search.name);
  useEffect(() => {
    if (name.current === search.name) return;
    name.current = search.name;
    change({ customer: undefined, tab: undefined });
  }, [search.name, change]);

  const isFirst = customers.total === 0 && license === 'all' && !search.name;
  return (
    <>
      <PageHeader title={useCustomersTitle(customers.total)} tabs={useCustomerTabs()}>
        <Button leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
          {t('add')}
        </Button>
      </PageHeader>
      <div className={classes.sides} data-chosen={search.customer ? true : undefined}>
        <CustomerList
          customers={customers}
          license={license}
          chosen={search.customer}
          onSelect={id => change({ customer: id })}
          onFilter={to => change({ license: to === 'all' ? undefined : to, customer: undefined, tab: undefined })}
          onReload={() => {
            leave();
            reload();
          }}
        />
        <section className={classes.panel} aria-label={chosen.data?.data.name ?? t(isFirst ? 'first' : 'none')}>
          {!search.customer && (
            <EmptyState
              drawing="venue"
              title={t(isFirst ? 'first' : 'none')}
              text={t(isFirst ? 'firstText' : 'noneText')}
            />
          )}
          {search.customer && chosen.error && !chosen.data && (
            <LoadError error={chosen.error} onRetry={() => void chosen.refetch()} />
          )}
          {search.customer && chosen.isPending && <FormSkeleton fields={4} />}
          {search.customer && chosen.data && (
            <CustomerPanel key={search.customer} customer={chosen.data.data} onBack={leave} />
          )}
        </section>
      </div>
      {creating && <CustomerCreate onCreated={id => change({ customer: id })} onClose={() => setCreating(false)} />}
    </>
  );
}

/** Makes the selected customer the active location, and clears the selection when the header switches to another one. */
function useTeamOf(customer: string | undefined, leave: () => void): void {
  const { mutate } = useSelectTeam();
  const active = useUser().active_location?.id;
  const before = useRef(active);
  useEffect(() => {
    if (customer && customer !== before.current) mutate(customer);
  }, [customer, mutate]);
  const left = customer !== undefined && before.current === customer && active !== customer;
  useEffect(() => {
    before.current = active;
    if (left) leave();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only when the active location changes
  }, [active]);
}
