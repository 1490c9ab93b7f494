import { Button, Group } from '@mantine/core';
import { Link, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isChosen } from '#features/notifications/chosen-location.ts';
import { useChangeLocation } from '#lib/change-location.ts';
import type { ListSearch } from '#lib/search.ts';
import { useUser } from '#lib/user.ts';
import { EmptyState } from '#ui/empty-state.tsx';
import { FormSkeleton } from '#ui/form-skeleton.tsx';
import { LoadError } from '#ui/load-error.tsx';

/**
 * An address, so that a notice of another location can be opened in a new tab too: `?location=…&to=/devices/…`. Every page could
 * have such a link, so the location changes only if the user says so, here or by pressing the notice.
 */
export function OpenElsewherePage() {
  const { t } = useTranslation('notifications');
  const { location: id = '', to = '/' } = useSearch({ strict: false }) as ListSearch;
  const user = useUser();
  const active = user.active_location?.id;
  // Undefined also of one beyond the first hundred.
  const named = user.locations.find(it => it.id === id);
  const [isWanted, setWanted] = useState(id === active || isChosen(id));
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
  useEffect(() => {
    if (isWanted) open();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each address: the change makes another location the active one
  }, [id, to, isWanted]);
  if (change.error) return <LoadError error={change.error} onRetry={open} />;
  if (isWanted) return <FormSkeleton />;
  return (
    <EmptyState
      drawing="venue"
      title={t('elsewhere.title')}
      text={named ? t('elsewhere.text', { location: named.name }) : t('elsewhere.unnamed')}
      screen
    >
      <Group justify="center">
        <Button variant="default" component={Link} to="/">
          {t('elsewhere.stay')}
        </Button>
        <Button onClick={() => setWanted(true)}>{t('elsewhere.change')}</Button>
      </Group>
    </EmptyState>
  );
}
