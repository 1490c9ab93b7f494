import type { Location } from '@portico/contract/locations.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '#features/locations/delete-location-dialog.module.css';
import { useDeleteLocation, useLocationContents } from '#features/locations/locations.api.ts';
import { formatNumber } from '#lib/format.ts';
import { Confirm } from '#ui/confirm.tsx';
import { ConfirmDelete } from '#ui/confirm-delete.tsx';

const parts = ['devices', 'visitors', 'portals', 'profiles', 'administrators', 'integrations', 'online'] as const;

interface Props {
  location: Pick<Location, 'id' | 'name'>;
  onDeleted: () => void;
  onClose: () => void;
}

/** Asks twice and lists the contents, because they are deleted with the location. */
export function DeleteLocationDialog({ location, onDeleted, onClose }: Props) {
  const { t } = useTranslation(['locations', 'common']);
  const [sure, setSure] = useState(false);
  const contents = useLocationContents(location.id).data?.data;
  const remove = useDeleteLocation();
  const list = contents && (
    <span className={classes.contents}>
      {parts
        .filter(part => contents[part] > 0)
        .map(part => (
          <span key={part}>
            <b>{formatNumber(contents[part])}</b> {t(`contents.${part}`, { count: contents[part] })}
          </span>
        ))}
    </span>
  );
  if (!sure)
    return (
      <ConfirmDelete
        name={location.name}
        title={t('confirmDelete')}
        text={
          <>
            {contents &&
              t(parts.every(part => contents[part] === 0) ? 'contents.none' : 'contents.goes', { name: location.name })}
            {list}
          </>
        }
        pending={!contents}
        onConfirm={() => setSure(true)}
        onClose={onClose}
      />
    );
  return (
    <Confirm
      opened
      title={t('attention')}
      text={
        <>
          {t('attentionText', { name: location.name })}
          {list}
        </>
      }
      confirm={t('deleteForever')}
      cancel={t('common:cancel')}
      danger
      pending={remove.isPending}
      onConfirm={() => remove.mutate(location, { onSuccess: onDeleted })}
      onClose={onClose}
    />
  );
}
