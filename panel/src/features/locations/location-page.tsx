import { useParams } from '@tanstack/react-router';
import { LocationDelete } from '#features/locations/location-delete.tsx';
import { LocationForm } from '#features/locations/location-form.tsx';
import { LocationError, LocationHeader } from '#features/locations/location-header.tsx';
import { useLocation } from '#features/locations/locations.api.ts';
import { useCan } from '#lib/permissions.ts';
import { FormSkeleton } from '#ui/form-skeleton.tsx';

export function LocationPage() {
  const { locationId } = useParams({ from: '/shell/locations/$locationId/edit' });
  const can = useCan();
  const query = useLocation(locationId);
  if (query.error && !query.data) return <LocationError query={query} />;
  return (
    <>
      <LocationHeader locationId={locationId} saves={Boolean(query.data)} />
      {query.data ? <LocationForm key={locationId} location={query.data.data} /> : <FormSkeleton />}
      {query.data && can('update-location') && <LocationDelete location={query.data.data} />}
    </>
  );
}
