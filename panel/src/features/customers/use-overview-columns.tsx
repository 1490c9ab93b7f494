import type { CustomerState } from '@portico/contract/customers.ts';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import classes from '#features/customers/overview.module.css';
import { formatNumber } from '#lib/format.ts';
import { useUser } from '#lib/user.ts';
import type { Column } from '#ui/data-table.tsx';
import { LicenceState } from '#ui/licence-state.tsx';

export function useOverviewColumns(): Column<CustomerState>[] {
  const { t } = useTranslation('customers');
  const { is_team_admin } = useUser();
  return [
    {
      key: 'name',
      label: t('overview.customer'),
      sort: { by: 'name', first: 'asc' },
      cell: row => (
        <span className={classes.customer}>
          <Link to="/admin" search={{ customer: row.id }}>
            {row.name}
          </Link>
          <small>{[row.address, is_team_admin && row.owner?.name].filter(Boolean).join(' · ') || '–'}</small>
        </span>
      ),
    },
    {
      key: 'licence',
      label: t('overview.licence'),
      sort: { by: 'ends_at', first: 'asc' },
      cell: row => <LicenceState of={row} />,
      onPhone: true,
    },
    {
      key: 'devices',
      onPhone: true,
      label: t('overview.devices'),
      sort: { by: 'devices_offline', first: 'desc' },
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
      onPhone: 'labelled',
      label: t('overview.sms'),
      sort: { by: 'sms', first: 'desc' },
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
