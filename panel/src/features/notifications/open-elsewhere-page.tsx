import { useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useChangeLocation } from '#lib/change-location.ts';
import type { ListSearch } from '#lib/search.ts';
import { useUser } from '#lib/user.ts';
import { FormSkeleton } from '#ui/form-skeleton.tsx';
import { LoadError } from '#ui/load-error.tsx';

/** An address, so that a notice of another location can be opened in a new tab too: `?location=…&to=/devices/…`. */
export function OpenElsewherePage() {
  const { location: id = '', to = '/' } = useSearch({ strict: false }) as ListSearch;
  const active = useUser().active_location?.id;
  const change = useChangeLocation();
  const { mutate } = change;
  const open = () => {
    const { origin } = location;
    const place = URL.canParse(to, origin) ? new URL(to, origin) : undefined;
    // By a full page load, because every screen shows the other location now.
    const go = () => location.replace(place?.origin === origin ? place.href : origin);
    if (id === active) go();
    else mutate(id, { onSuccess: go });
  };
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each address: the change makes another location the active one
  useEffect(open, [id, to]);
  if (change.error) return <LoadError error={change.error} onRetry={open} />;
  return <FormSkeleton />;
}
