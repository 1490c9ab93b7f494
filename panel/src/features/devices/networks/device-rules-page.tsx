import type { DeviceDetail } from '@portico/contract/devices.ts';
import type { Network } from '@portico/contract/networks.ts';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { DeviceScreen } from '#features/devices/device-screen.tsx';
import classes from '#features/devices/devices.module.css';
import { useAllNetworks, useLocationOf } from '#features/devices/networks/networks.api.ts';
import { tenant } from '#lib/tenant.ts';
import { Card } from '#ui/card.tsx';
import type { Column } from '#ui/data-table.tsx';
import { Facts } from '#ui/facts.tsx';
import { ListTable } from '#ui/list-page.tsx';
import { Tag } from '#ui/tag.tsx';

/** The portal and profile in force on each network, and the walled garden. */
export const DeviceRulesPage = () => <DeviceScreen>{device => <Rules device={device} />}</DeviceScreen>;

function Rules({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation('devices');
  const networks = useAllNetworks(device.id);
  const location = useLocationOf(device.location_id).data?.data;
  const inherited = (name: string | undefined, none: string) => (
    <span>
      {name ?? none} <Tag>{t('rules.inherited')}</Tag>
    </span>
  );
  const portal = location?.portal?.name;
  const profile = device.user_profile?.name;
  const columns: Column<Network>[] = [
    { key: 'name', label: t('network.one'), cell: row => row.name },
    {
      key: 'address',
      label: t('network.address'),
      nowrap: true,
      cell: row => `${row.start_ip}/${row.subnet}`,
      onPhone: true,
    },
    {
      key: 'portal',
      onPhone: 'labelled',
      label: t('network.portal'),
      cell: row => row.portal?.name ?? inherited(portal, t('rules.noPortal')),
    },
    {
      key: 'profile',
      onPhone: 'labelled',
      label: t('network.profile'),
      cell: row => row.profile?.name ?? inherited(profile, t('noProfile')),
    },
  ];
  const garden = new URL(tenant().captive_url).hostname;
  return (
    <>
      <Card title={t('rules.standard')} description={t('rules.standardHelp')}>
        <Facts
          facts={[
            { label: t('network.portal'), value: portal ?? t('rules.noPortal') },
            { label: t('network.profile'), value: profile ?? t('noProfile') },
          ]}
        />
      </Card>
      <section className={classes.list} aria-labelledby="networks">
        <h2 id="networks">{t('rules.perNetwork')}</h2>
        <ListTable
          label={t('rules.perNetwork')}
          query={networks}
          columns={columns}
          rowKey={row => row.id}
          rowName={row => row.name}
          empty={{
            drawing: 'waves',
            title: t('network.emptyTitle'),
            text: t('rules.noNetworks'),
            action: (
              <Link className={classes.link} to="/devices/$deviceId/networks" params={{ deviceId: device.id }}>
                {t('network.title')}
              </Link>
            ),
          }}
        />
      </section>
      <Card title={t('rules.garden')} description={t('rules.gardenHelp')}>
        <Facts facts={[{ label: t('rules.gardenPortal'), value: garden, copy: garden, code: true }]} />
      </Card>
    </>
  );
}
