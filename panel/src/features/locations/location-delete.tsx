import { Button } from '@mantine/core';
import type { Location } from '@portico/contract/locations.ts';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocationContents } from '#features/locations/locations.api.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { reloadWithToast } from '#lib/toast-after-reload.ts';
import { Card } from '#ui/card.tsx';

const DeleteQuestions = lazyPart(() => import('#features/locations/delete-questions.tsx'), 'DeleteQuestions');

/** Shown to users who may delete it: administrators, its reseller and the member who registered it. */
export function LocationDelete({ location }: { location: Location }) {
  const { t } = useTranslation('locations');
  const [asking, setAsking] = useState(false);
  const contents = useLocationContents(location.id);
  // By a page load, so that no data of the location stays in memory.
  const leave = () => reloadWithToast(t('deleted'), '/');
  if (!contents.data?.data.deletable) return null;
  return (
    <Card title={t('deleteTitle')} description={t('deleteHelp')}>
      <Button variant="default" c="var(--bad)" leftSection={<IconTrash size={16} />} onClick={() => setAsking(true)}>
        {t('deleteButton')}
      </Button>
      {asking && <DeleteQuestions location={location} onDeleted={leave} onClose={() => setAsking(false)} />}
    </Card>
  );
}
