import { NativeSelect } from '@mantine/core';
import type { Profile } from '@portico/contract/profiles.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '#features/profiles/profile-delete.module.css';
import { useDeleteProfile, useOtherProfiles } from '#features/profiles/profiles.api.ts';
import { choices } from '#ui/choices.ts';
import { Confirm } from '#ui/confirm.tsx';
import { ConfirmDelete } from '#ui/confirm-delete.tsx';

interface Props {
  profile: Profile;
  /** There is none yet that could take its place. */
  onAdd: () => void;
  onClose: () => void;
}

/** A profile that somebody has goes only when another takes its place. */
export function ProfileDelete({ profile, onAdd, onClose }: Props) {
  const { t } = useTranslation(['profiles', 'common']);
  const remove = useDeleteProfile();
  const others = useOtherProfiles(profile);
  const [replacement, setReplacement] = useState('');
  const { id, name, visitors, networks, portals, is_default } = profile;
  const confirm = (replacement_id?: string) => remove.mutate({ id, replacement_id }, { onSuccess: onClose });
  if (!visitors && !networks && !portals && !is_default)
    return <ConfirmDelete name={name} pending={remove.isPending} onConfirm={() => confirm()} onClose={onClose} />;
  const users = [
    ...(visitors ? [t('usedVisitors', { count: visitors })] : []),
    ...(networks ? [t('usedNetworks', { count: networks })] : []),
    ...(portals ? [t('usedPortals', { count: portals })] : []),
    ...(is_default ? [t('usedDefault')] : []),
  ];
  if (others?.length === 0)
    return (
      <Confirm
        opened
        title={t('inUseTitle', { name })}
        text={t('onlyOne', { users: users.join(', ') })}
        confirm={t('add')}
        cancel={t('common:cancel')}
        onConfirm={onAdd}
        onClose={onClose}
      />
    );
  const chosen = replacement || others?.[0]?.id;
  return (
    <Confirm
      opened
      title={t('inUseTitle', { name })}
      text={
        <>
          {t('inUse', { users: users.join(', ') })}
          <NativeSelect
            className={classes.replacement}
            label={t('replacement')}
            data={choices(others ?? [])}
            value={chosen}
            onChange={event => setReplacement(event.currentTarget.value)}
          />
        </>
      }
      confirm={t('replaceAndDelete')}
      cancel={t('common:cancel')}
      danger
      pending={remove.isPending || !others}
      onConfirm={() => confirm(chosen)}
      onClose={onClose}
    />
  );
}
