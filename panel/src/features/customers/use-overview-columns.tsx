import { Checkbox } from '@mantine/core';
import type { CustomerState } from '@portico/contract/customers.ts';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import classes from '#features/customers/overview.module.css';
import { useSortedHead } from '#features/customers/sorted-head.tsx';
import { formatNumber } from '#lib/format.ts';
import { useUser } from '#lib/user.ts';
import type { Column } from '#ui/data-table.tsx';
import { LicenceState } from '#ui/licence-state.tsx';

interface Options {
  /** The rows of the current page. */
  rows: readonly CustomerState[];
  /** The selected customers of all pages by id, as they were when they were selected. */
  chosen: ReadonlyMap<string, CustomerState>;
  onChoose: (chosen: ReadonlyMap<string, CustomerState>) => void;
  /** Whether licences are shown and can be extended. */
  licensed: boolean;
}

export function useOverviewColumns({ rows, chosen, onChoose, licensed }: Options): Column<CustomerState>[] {
  const { t } = useTranslation('customers');
  const { is_team_admin } = useUser();
  const sorted = useSortedHead();
  const choose = (customers: readonly CustomerState[], on: boolean) => {
    const next = new Map(chosen);
    for (const customer of customers) {
      if (on) next.set(customer.id, customer);
      else next.delete(customer.id);
    }
    onChoose(next);
  };
  const all = rows.length > 0 && rows.every(row => chosen.has(row.id));
  const chooseAll = licensed && (
    <Checkbox
      size="xs"
      aria-label={t('overview.chooseAll')}
      checked={all}
      indeterminate={!all && rows.some(row => chosen.has(row.id))}
      onChange={event => choose(rows, event.currentTarget.checked)}
    />
  );
  return [
    {
      key: 'name',
      label: t('overview.customer'),
      ...sorted('name', t('overview.customer'), chooseAll),
      cell: row => (
        <span className={classes.customer}>
          {licensed && (
            <Checkbox
              size="xs"
              aria-label={t('overview.choose', { name: row.name })}
              checked={chosen.has(row.id)}
              onChange={event => choose([row], event.currentTarget.checked)}
            />
          )}
          <span>
            <Link to="/admin" search={{ customer: row.id }}>
              {row.name}
            </Link>
            <small>{[row.address, is_team_admin && row.owner?.name].filter(Boolean).join(' · ') || '–'}</small>
          </span>
        </span>
      ),
    },
    {
      key: 'licence',
      label: t('overview.licence'),
      ...sorted('ends_at', t('overview.licence')),
      cell: row => <LicenceState of={row} withDate={licensed} />,
    },
    {
      key: 'devices',
      label: t('overview.devices'),
      ...sorted('devices_offline', t('overview.devices')),
      nowrap: true,
      cell: row =>
        row.devices_offline > 0 ? (
          <b className={classes.bad}>{t('overview.offline', { count: row.devices_offline, total: row.devices })}</b>
        ) : (
          t(row.devices > 0 ? 'overview.allOnline' : 'overview.noDevice', { count: row.devices })
        ),
    },
    {
      key: 'sms',
      label: t('overview.sms'),
      ...sorted('sms', t('overview.sms')),
      nowrap: true,
      cell: row => (
        <span className={classes.sms} data-full={row.sms >= 80 || undefined}>
          <meter
            min={0}
            max={100}
            low={80}
            high={95}
            optimum={0}
            value={Math.min(100, row.sms)}
            aria-label={t('overview.sms')}
          />
          {t('licence.smsUsed', { used: formatNumber(row.sms_used), limit: formatNumber(row.sms_limit) })}
        </span>
      ),
    },
  ];
}
