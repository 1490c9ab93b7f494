import { Button } from '@mantine/core';
import type { Location } from '@portico/contract/locations.ts';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDeleteLocation } from '#features/locations/locations.api.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { Card } from '#ui/card.tsx';

const Confirm = lazyPart(() => import('#ui/confirm.tsx'), 'Confirm');
const ConfirmDelete = lazyPart(() => import('#ui/confirm-delete.tsx'), 'ConfirmDelete');

/** Everything of a venue goes with it, so it is asked twice. */
export function LocationDelete({ location }: { location: Location }) {
  const { t } = useTranslation(['locations', 'common']);
  const [asking, setAsking] = useState<'first' | 'second'>();
  const remove = useDeleteLocation();
  const close = () => setAsking(undefined);
  // By a page load: whatever still belongs to the location is gone from memory too.
  const leave = () => window.location.assign('/');
  return (
    <Card title={t('deleteTitle')} description={t('deleteHelp')}>
      <Button variant="default" c="var(--bad)" leftSection={<IconTrash size={16} />} onClick={() => setAsking('first')}>
        {t('deleteButton')}
      </Button>
      {asking === 'first' && (
        <ConfirmDelete
          name={location.name}
          title={t('confirmDelete')}
          pending={false}
          onConfirm={() => setAsking('second')}
          onClose={close}
        />
      )}
      {asking === 'second' && (
        <Confirm
          opened
          title={t('attention')}
          text={t('attentionText', { name: location.name })}
          confirm={t('deleteForever')}
          cancel={t('common:cancel')}
          danger
          pending={remove.isPending}
          onConfirm={() => remove.mutate(location, { onSuccess: leave })}
          onClose={close}
        />
      )}
    </Card>
  );
}
