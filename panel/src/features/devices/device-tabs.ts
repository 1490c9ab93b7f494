import { takesCertificates } from '@portico/contract/device-kinds.ts';
import type { DeviceDetail } from '@portico/contract/devices.ts';
import { useTranslation } from 'react-i18next';
import { useCan } from '#lib/permissions.ts';
import { showsLicences } from '#lib/tenant.ts';

interface Page {
  to: string;
  label: string;
}
export interface Group {
  label: string;
  /** The first is the one that the tab opens. */
  pages: readonly Page[];
}

/** The screens of a device by purpose: its state, its guests, its records, its setup. */
export function useDeviceTabs(id: string, device: DeviceDetail | undefined): Group[] {
  const { t } = useTranslation('devices');
  const can = useCan();
  const page = (path: string, label: string): Page => ({ to: `/devices/${id}${path}`, label });
  return [
    { label: t('general'), pages: [page('', t('general'))] },
    {
      label: t('users.title'),
      pages: [
        ...(can('view-basic-stats') ? [page('/users', t('users.sessions'))] : []),
        page('/macs', t('macs.title')),
      ],
    },
    { label: t('logs'), pages: [page('/logs', t('logs'))] },
    {
      label: t('settings'),
      pages: [
        ...(can('update-devices') ? [page('/edit', t('information'))] : []),
        page('/info', t('connection')),
        page('/networks', t('network.title')),
        page('/rules', t('rules.title')),
        ...(device && takesCertificates(device.brand.slug) ? [page('/certificates', 'RadSec')] : []),
        ...(showsLicences() ? [page('/license', t('licence.title'))] : []),
      ],
    },
  ];
}
