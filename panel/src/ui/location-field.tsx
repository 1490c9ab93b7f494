import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '#lib/api.ts';
import { queryOf } from '#lib/client.ts';
import { useUser } from '#lib/user.ts';
import { useWorkingLocation } from '#lib/working-location.ts';

/** The number of locations that come with the signed-in user. */
const known = 100;

/** Props of a searchable select of locations. Locations beyond those that come with the user are found by typing. */
export function useLocationChoices() {
  const { locations, active_location } = useUser();
  const [typed, setTyped] = useState('');
  const [name] = useDebouncedValue(typed, 250);
  const found = useQuery({
    ...queryOf(api.locations.list, { query: { name, per_page: known } }),
    enabled: locations.length >= known && name !== '',
    placeholderData: keepPreviousData,
  });
  const all = [...locations, ...(active_location ? [active_location] : []), ...(found.data?.data ?? [])];
  const labels = new Map(all.map(({ id, name: label }) => [id, label]));
  return {
    searchable: true,
    data: [...labels].map(([value, label]) => ({ value, label })),
    limit: known,
    onSearchChange: setTyped,
  };
}

interface Props {
  value?: string | null;
  onChange?: (value: string | null) => void;
  error?: React.ReactNode;
}

/** Asks for the location of a new entry; absent if there is no choice. */
export function LocationField(props: Props) {
  const { t } = useTranslation();
  const choices = useLocationChoices();
  if (useWorkingLocation() !== null) return null;
  return <Select label={t('location')} placeholder={t('chooseLocation')} withAsterisk {...choices} {...props} />;
}
