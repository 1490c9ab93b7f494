import { useEffect, useRef } from 'react';
import { useChangeLocation } from '#lib/change-location.ts';
import { listOf, useListSearch } from '#lib/search.ts';
import { useUser } from '#lib/user.ts';

/**
 * With an active location, the dashboard shows only that one and no location filter. So a location that a link names, such as
 * that of a notification, becomes the active one. Returns whether this is still to happen.
 */
export function useLinkedLocation(): boolean {
  const [{ locations }, change] = useListSearch();
  const active = useUser().active_location?.id;
  const { mutate } = useChangeLocation();
  const before = useRef(active);
  const [first, ...others] = listOf(locations) ?? [];
  const linked = active && others.length === 0 && first !== active ? first : undefined;
  useEffect(() => {
    if (before.current !== active) {
      before.current = active;
      // Chosen before the change, so it could hide all that is there now.
      if (locations) change({ locations: undefined });
    } else if (linked) mutate(linked, { onError: () => change({ locations: undefined, show: undefined }) });
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only when the link or the active location changes
  }, [active, linked]);
  return linked !== undefined;
}
