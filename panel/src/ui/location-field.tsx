import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '#lib/api.ts';
import { queryOf } from '#lib/client.ts';
import { useUser } from '#lib/user.ts';

/** The location that a new entry is made for: the active one, or the only one, or null while it must be chosen. */
export function useWorkingLocation(): string | null {
  const user = useUser();
  return user.active_location?.id ?? (user.locations.length === 1 ? (user.locations[0]?.id ?? null) : null);
}

/** How many locations the signed-in user comes with. */
const known = 100;

/** What a searchable select of locations takes. Of those who manage more than are known, the others are found by typing. */
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

/** Asks for the location of a new entry; absent where there is nothing to choose. */
export function LocationField(props: Props) {
  const { t } = useTranslation();
  const choices = useLocationChoices();
  if (useWorkingLocation() !== null) return null;
  return <Select label={t('location')} placeholder={t('chooseLocation')} withAsterisk {...choices} {...props} />;
}
