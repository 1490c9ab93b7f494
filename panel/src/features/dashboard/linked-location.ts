import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useChangeLocation } from '#lib/change-location.ts';
import { listOf, useListSearch } from '#lib/search.ts';
import { toastUndo } from '#lib/toast.ts';
import { seesAllLocations, useUser } from '#lib/user.ts';

/**
 * With an active location, the dashboard shows only that one and no location filter. So a location that a link names, such as
 * that of a notification, becomes the active one, and several make room for all, filtered by them. Members work at one location
 * at a time, so they get the first of theirs. Returns whether this is still to happen.
 */
export function useLinkedLocation(): boolean {
  const { t } = useTranslation('dashboard');
  const [{ locations }, change] = useListSearch();
  const user = useUser();
  const active = user.active_location?.id;
  const { mutate } = useChangeLocation();
  const before = useRef(active);
  const ids = [...new Set(listOf(locations))];
  const isFilter = ids.length > 1 && seesAllLocations(user);
  const first = ids.find(id => user.locations.some(it => it.id === id)) ?? ids[0];
  const target = isFilter ? 'all' : first;
  const linked = active && (isFilter || !ids.includes(active)) ? target : undefined;
  useEffect(() => {
    if (before.current !== active) {
      before.current = active;
      // Chosen before the change, so it could hide all that is there now.
      if (active ? locations : ids.length === 1) change({ locations: undefined });
    } else if (linked && active)
      mutate(linked, {
        onSuccess: ({ data }) => {
          const location = data.active_location?.name;
          toastUndo(location ? t('nowAt', { location }) : t('nowAtAll'), [], () => mutate(active));
        },
        onError: () => change({ locations: undefined, show: undefined }),
      });
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only when the link or the active location changes
  }, [active, linked]);
  return linked !== undefined;
}
