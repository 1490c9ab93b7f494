import { Button } from '@mantine/core';
import type { Visitor } from '@portico/contract/visitors.ts';
import {
  IconArrowsExchange,
  IconCalendarPlus,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconPrinter,
} from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePause, useResume } from '#features/visitors/visitor-page.api.ts';
import { lazyPart } from '#lib/lazy-part.tsx';

const ExtendDialog = lazyPart(() => import('#features/visitors/extend-dialog.tsx'), 'ExtendDialog');
const MoveDialog = lazyPart(() => import('#features/visitors/move-dialog.tsx'), 'MoveDialog');
const VisitorDialog = lazyPart(() => import('#features/visitors/visitor-dialog.tsx'), 'VisitorDialog');
const CardDialog = lazyPart(() => import('#features/visitors/card-dialog.tsx'), 'CardDialog');

/** The actions on a visitor. Changes of running sessions are sent to their router. */
export function VisitorActions({ visitor }: { visitor: Visitor }) {
  const { t } = useTranslation(['visitor', 'visitors', 'common']);
  const [open, setOpen] = useState<'extend' | 'move' | 'edit' | 'card'>();
  const pause = usePause();
  const resume = useResume();
  const close = () => setOpen(undefined);
  return (
    <>
      {visitor.sign_in_url && (
        <Button variant="default" leftSection={<IconPrinter size={16} />} onClick={() => setOpen('card')}>
          {t('visitors:printCard')}
        </Button>
      )}
      <Button variant="default" leftSection={<IconPencil size={16} />} onClick={() => setOpen('edit')}>
        {t('common:edit')}
      </Button>
      <Button variant="default" leftSection={<IconArrowsExchange size={16} />} onClick={() => setOpen('move')}>
        {t('move')}
      </Button>
      {visitor.blocked ? (
        <Button
          variant="default"
          leftSection={<IconPlayerPlay size={16} />}
          loading={resume.isPending}
          onClick={() => resume.mutate(visitor.id)}
        >
          {t('resume')}
        </Button>
      ) : (
        <Button
          variant="default"
          leftSection={<IconPlayerPause size={16} />}
          loading={pause.isPending}
          onClick={() => pause.mutate(visitor.id)}
        >
          {t('pause')}
        </Button>
      )}
      <Button leftSection={<IconCalendarPlus size={16} />} onClick={() => setOpen('extend')}>
        {t('extend')}
      </Button>
      {open === 'extend' && <ExtendDialog visitor={visitor} onClose={close} />}
      {open === 'move' && <MoveDialog visitor={visitor} onClose={close} />}
      {open === 'edit' && <VisitorDialog id={visitor.id} onClose={close} />}
      {open === 'card' && <CardDialog id={visitor.id} onClose={close} />}
    </>
  );
}
