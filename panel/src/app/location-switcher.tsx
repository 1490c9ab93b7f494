import { Popover } from '@mantine/core';
import { IconBuildingStore, IconBuildings, IconSelector } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '#app/header.module.css';
import { api } from '#lib/api.ts';
import { call } from '#lib/client.ts';
import { setUser, useUser } from '#lib/user.ts';
import { PickList } from '#ui/pick-list.tsx';

/** The active team: every list shows what belongs to it. Those who manage many may look at all of them together. */
export function LocationSwitcher() {
  const { t } = useTranslation('shell');
  const [opened, setOpened] = useState(false);
  const user = useUser();
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: (id: string) => call(api.auth.changeTeam, { params: { id } }),
    onSuccess: ({ data }) => {
      setUser(queries, data);
      void queries.invalidateQueries();
    },
  });
  const name = user.active_location?.name ?? t('allLocations');
  const Icon = user.active_location ? IconBuildingStore : IconBuildings;
  const options = [
    ...(user.can_create_location ? [{ id: 'all', label: t('allLocations'), icon: IconBuildings }] : []),
    ...user.locations.map(each => ({ id: each.id, label: each.name, icon: IconBuildingStore })),
  ];
  if (options.length < 2)
    return (
      <div className={`${classes.place} ${classes.only}`}>
        <Icon size={18} stroke={1.6} aria-hidden />
        <span>{name}</span>
      </div>
    );
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" width={300} trapFocus returnFocus offset={6}>
      <Popover.Target>
        <button
          type="button"
          className={classes.place}
          onClick={() => setOpened(!opened)}
          aria-label={t('changeLocation', { name })}
        >
          <Icon size={18} stroke={1.6} aria-hidden />
          <span>{name}</span>
          <IconSelector size={16} aria-hidden />
        </button>
      </Popover.Target>
      <Popover.Dropdown p={0}>
        <PickList
          label={t('findLocation')}
          options={options}
          chosen={user.active_location?.id ?? 'all'}
          onPick={id => {
            setOpened(false);
            change.mutate(id);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}
