import { Button } from '@mantine/core';
import type { Location } from '@portico/contract/locations.ts';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocationContents } from '#features/locations/locations.api.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { leaveSaying } from '#lib/leave.ts';
import { Card } from '#ui/card.tsx';

const DeleteQuestions = lazyPart(() => import('#features/locations/delete-questions.tsx'), 'DeleteQuestions');

/** Shown to those who may: administrators, the reseller who has it, and the member who registered it. */
export function LocationDelete({ location }: { location: Location }) {
  const { t } = useTranslation('locations');
  const [asking, setAsking] = useState(false);
  const contents = useLocationContents(location.id);
  // By a page load: whatever still belongs to the location is gone from memory too.
  const leave = () => leaveSaying(t('deleted'), '/');
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
