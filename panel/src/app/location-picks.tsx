import { useDebouncedValue } from '@mantine/hooks';
import { IconBuildingStore, IconBuildings } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '#lib/api.ts';
import { queryOf } from '#lib/client.ts';
import { seesAllLocations, useUser } from '#lib/user.ts';
import { PickList } from '#ui/pick-list.tsx';

/** The number of locations that come with the signed-in user; the others are found by typing. */
const known = 100;

/** The locations of the user, by name. For users who manage thousands, the server searches. */
export function LocationPicks({ onPick }: { onPick: (id: string) => void }) {
  const { t } = useTranslation('shell');
  const user = useUser();
  const [typed, setTyped] = useState('');
  const [name] = useDebouncedValue(typed.trim(), 200);
  const isMore = user.locations.length >= known;
  const found = useQuery({
    ...queryOf(api.locations.list, { query: { name, per_page: known } }),
    enabled: isMore && name !== '',
    placeholderData: keepPreviousData,
  });
  const active = user.active_location ? [user.active_location] : [];
  const located = [...user.locations, ...active, ...(name === '' ? [] : (found.data?.data ?? []))];
  const labels = new Map(located.map(each => [each.id, each.name]));
  const options = [
    ...(seesAllLocations(user) ? [{ id: 'all', label: t('allLocations'), icon: IconBuildings }] : []),
    ...[...labels].map(([id, label]) => ({ id, label, icon: IconBuildingStore })),
  ];
  return (
    <PickList
      label={t('findLocation')}
      options={options}
      chosen={user.active_location?.id ?? 'all'}
      onType={isMore ? setTyped : undefined}
      pending={typed.trim() !== name || found.isFetching}
      onPick={onPick}
    />
  );
}
