import { IconBuildingStore, IconBuildings, IconSelector } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '#app/header.module.css';
import { useChangeLocation } from '#lib/change-location.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { seesAllLocations, useUser } from '#lib/user.ts';

const AnchoredPopover = lazyPart(() => import('#ui/anchored-popover.tsx'), 'AnchoredPopover');
const LocationPicks = lazyPart(() => import('#app/location-picks.tsx'), 'LocationPicks');

/** The active location, which every list shows. Users who manage several locations can also see all of them together. */
export function LocationSwitcher() {
  const { t } = useTranslation('shell');
  const [opener, setOpener] = useState<HTMLElement>();
  const user = useUser();
  const change = useChangeLocation();
  const name = user.active_location?.name ?? t('allLocations');
  const Icon = user.active_location ? IconBuildingStore : IconBuildings;
  if (user.locations.length + (seesAllLocations(user) ? 1 : 0) < 2)
    return (
      <div className={`${classes.place} ${classes.only}`}>
        <Icon size={18} stroke={1.6} aria-hidden />
        <span>{name}</span>
      </div>
    );
  return (
    <>
      <button
        type="button"
        className={classes.place}
        onClick={event => setOpener(event.currentTarget)}
        aria-label={t('changeLocation', { name })}
        aria-haspopup="dialog"
        aria-expanded={opener !== undefined}
      >
        <Icon size={18} stroke={1.6} aria-hidden />
        <span>{name}</span>
        <IconSelector size={16} aria-hidden />
      </button>
      {opener && (
        <AnchoredPopover
          label={t('findLocation')}
          button={opener}
          position="bottom-start"
          width={300}
          onClose={() => setOpener(undefined)}
        >
          <LocationPicks
            onPick={id => {
              setOpener(undefined);
              opener.focus();
              change.mutate(id);
            }}
          />
        </AnchoredPopover>
      )}
    </>
  );
}
