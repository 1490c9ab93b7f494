import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from '#features/locations/locations.api.ts';
import { useCan } from '#lib/permissions.ts';
import { HeaderSave } from '#ui/header-save.tsx';
import { LoadError } from '#ui/load-error.tsx';
import { PageHeader } from '#ui/page-header.tsx';

interface Props {
  locationId: string;
  /** The tab shows a form that is saved as a whole. */
  saves?: boolean;
}

/** The header and tabs of a location's editor. */
export function LocationHeader({ locationId, saves = false }: Props) {
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
  return (
    <PageHeader title={data?.data.name ?? '…'} parent={{ to: '/locations', label: t('title') }} tabs={tabs}>
      {saves && can('update-location') && <HeaderSave />}
    </PageHeader>
  );
}

/** Replaces every tab of a location that could not be loaded. */
export function LocationError({ query }: { query: ReturnType<typeof useLocation> }) {
  const { t } = useTranslation('locations');
  if (!query.error) return null;
  return (
    <LoadError
      error={query.error}
      onRetry={() => void query.refetch()}
      parent={{ to: '/locations', label: t('title') }}
    />
  );
}

/** A tab of a location's editor that loads its own data. Without the location there is nothing to show. */
export function LocationTab({ locationId, children }: { locationId: string; children: ReactNode }) {
  const query = useLocation(locationId);
  if (query.error && !query.data) return <LocationError query={query} />;
  return (
    <>
      <LocationHeader locationId={locationId} />
      {children}
    </>
  );
}
