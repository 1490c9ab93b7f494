import { Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useUser } from '#lib/user.ts';

/** The location that a new entry is made for: the active one, or the only one, or null while it must be chosen. */
export function useWorkingLocation(): string | null {
  const user = useUser();
  return user.active_location?.id ?? (user.locations.length === 1 ? (user.locations[0]?.id ?? null) : null);
}

interface Props {
  value?: string | null;
  onChange?: (value: string | null) => void;
  error?: React.ReactNode;
}

/** Asks for the location of a new entry; absent where there is nothing to choose. */
export function LocationField(props: Props) {
  const { t } = useTranslation();
  const { locations } = useUser();
  if (useWorkingLocation() !== null) return null;
  return (
    <Select
      label={t('location')}
      placeholder={t('chooseLocation')}
      withAsterisk
      searchable
      data={locations.map(({ id, name }) => ({ value: id, label: name }))}
      {...props}
    />
  );
}
