import { useTranslation } from 'react-i18next';
import { useLocation } from '#features/locations/locations.api.ts';
import { useCan } from '#lib/permissions.ts';
import { PageHeader } from '#ui/page-header.tsx';

/** The header and tabs of a location's editor. */
export function LocationHeader({ locationId }: { locationId: string }) {
  const { t } = useTranslation('locations');
  const can = useCan();
  const { data } = useLocation(locationId);
  const base = `/locations/${locationId}/edit`;
  const tabs = [
    { to: base, label: t('general') },
    ...(can('read-location') ? [{ to: `${base}/users`, label: t('administrators') }] : []),
    ...(can('read-profiles') ? [{ to: `${base}/user-profiles`, label: t('profiles') }] : []),
    { to: `${base}/sessions`, label: t('session.title') },
  ];
  return <PageHeader title={data?.data.name ?? '…'} parent={{ to: '/locations', label: t('title') }} tabs={tabs} />;
}
