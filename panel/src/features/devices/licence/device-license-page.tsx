import type { AuditEntry } from '@portico/contract/audit.ts';
import type { DeviceDetail } from '@portico/contract/devices.ts';
import { useTranslation } from 'react-i18next';
import { DeviceScreen } from '#features/devices/device-screen.tsx';
import classes from '#features/devices/devices.module.css';
import { LicenceButtons, useMayLicense } from '#features/devices/licence/licence-buttons.tsx';
import { useLicenceHistory } from '#features/devices/licence/licence-history.ts';
import { api } from '#lib/api.ts';
import { formatDate, formatDateTime } from '#lib/format.ts';
import { useCan } from '#lib/permissions.ts';
import { showsLicences } from '#lib/tenant.ts';
import { useLive } from '#lib/use-live.ts';
import { Card } from '#ui/card.tsx';
import { type Column, DataTable } from '#ui/data-table.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { Facts } from '#ui/facts.tsx';
import { LicenceState } from '#ui/licence-state.tsx';

export const DeviceLicensePage = () => <DeviceScreen banner>{device => <License device={device} />}</DeviceScreen>;

function License({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation('devices');
  const can = useCan();
  const mayLicense = useMayLicense(device);
  return (
    <>
      <Card title={t('licence.title')}>
        <Facts
          facts={[
            { label: t('state'), value: <LicenceState of={device} /> },
            ...(showsLicences()
              ? [
                  {
                    label: t('licence.end'),
                    value: device.license_end_at ? formatDate(device.license_end_at, device.time_zone) : '–',
                  },
                ]
              : []),
            { label: t('licence.service'), value: t(device.has_mikrolink_subscription ? 'licence.runs' : 'stopped') },
          ]}
        />
        {!mayLicense && can('create-location') && showsLicences() && <p>{t('licence.byAdmin')}</p>}
      </Card>
      {mayLicense && (
        <Card title={t('licence.license')} description={t('licence.licenseHelp')}>
          <LicenceButtons device={device} />
        </Card>
      )}
      {can('read-location') && showsLicences() && <History device={device} />}
    </>
  );
}

function History({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation('devices');
  const history = useLicenceHistory(device);
  useLive('devices', api.audit.list);
  const columns: Column<AuditEntry>[] = [
    { key: 'when', label: t('licence.when'), nowrap: true, cell: row => formatDateTime(row.created_at) },
    { key: 'who', label: t('licence.who'), cell: row => row.user.name || row.user.email || '–', onPhone: true },
    {
      key: 'term',
      onPhone: true,
      label: t('licence.term'),
      nowrap: true,
      // Entries from before 0.4 lack it.
      cell: row => (row.after?.license_years ? t('licence.years', { count: Number(row.after.license_years) }) : '–'),
    },
    {
      key: 'until',
      onPhone: 'labelled',
      label: t('licence.newEnd'),
      nowrap: true,
      cell: row => (row.after?.license_end_at ? formatDate(String(row.after.license_end_at), device.time_zone) : '–'),
    },
  ];
  return (
    <section className={classes.list} aria-labelledby="history">
      <h2 id="history">{t('licence.history')}</h2>
      <DataTable
        label={t('licence.history')}
        query={history}
        columns={columns}
        rowKey={row => row.id}
        rowName={row => formatDateTime(row.created_at)}
        empty={<EmptyState drawing="clock" title={t('licence.noneTitle')} text={t('licence.noneText')} />}
      />
    </section>
  );
}
