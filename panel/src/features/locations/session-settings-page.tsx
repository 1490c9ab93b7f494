import { useParams } from '@tanstack/react-router';
import { LocationError, LocationHeader } from '#features/locations/location-header.tsx';
import { useLocation } from '#features/locations/locations.api.ts';
import { SessionSettingsForm } from '#features/locations/session-settings-form.tsx';
import { FormSkeleton } from '#ui/form-skeleton.tsx';

export function SessionSettingsPage() {
  const { locationId } = useParams({ from: '/shell/locations/$locationId/edit/sessions' });
  const query = useLocation(locationId);
  if (query.error && !query.data) return <LocationError query={query} />;
  return (
    <>
      <LocationHeader locationId={locationId} saves={Boolean(query.data)} />
      {query.data ? <SessionSettingsForm key={locationId} location={query.data.data} /> : <FormSkeleton fields={6} />}
    </>
  );
}
