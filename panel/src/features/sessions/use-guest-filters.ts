import { formatMac } from '@portico/contract/mac.ts';
import { useTranslation } from 'react-i18next';
import { useDeviceChoices } from '#features/sessions/sessions.api.ts';
import { useCan } from '#lib/permissions.ts';
import type { Filter } from '#ui/filter.ts';

/** The search box of sessions. Only readers of visitors can search names. */
export function useSessionSearch() {
  const { t } = useTranslation('sessions');
  return { key: 'search', placeholder: useCan()('view-clients') ? t('searchSession') : t('searchSessionOnly') };
}

/** The search box of imported sessions, for readers of visitors; others cannot search names. */
export function useNameSearch() {
  const { t } = useTranslation('sessions');
  return useCan()('view-clients') ? { key: 'search', placeholder: t('searchGuest') } : undefined;
}

/** The filters of sessions by MAC address and IP address. */
export function useAddressFilters(): readonly Filter[] {
  const { t } = useTranslation('sessions');
  return [
    { key: 'mac', label: t('mac'), kind: 'text', placeholder: 'A1:B2', format: formatMac },
    { key: 'ip', label: t('ip'), kind: 'text', placeholder: '10.5.' },
  ];
}

/** The filters of session lists: MAC address, IP address and device. */
export function useGuestFilters(): readonly Filter[] {
  const { t } = useTranslation('sessions');
  const devices = useDeviceChoices();
  const addresses = useAddressFilters();
  const offered = useCan()('view-devices');
  const options = devices.map(({ id, name }) => ({ value: id, label: name }));
  return [...addresses, { key: 'devices', label: t('device'), kind: 'options', options, offered }];
}
