import { useTranslation } from 'react-i18next';
import { usePause } from '#features/visitors/visitor-page.api.ts';
import { Confirm } from '#ui/confirm.tsx';

/** Asks before a visitor is paused, because running sessions end at once. */
export function PauseDialog({ visitor, onClose }: { visitor: { id: string; name: string }; onClose: () => void }) {
  const { t } = useTranslation(['visitor', 'common']);
  const pause = usePause();
  return (
    <Confirm
      opened
      title={t('pauseTitle', { name: visitor.name })}
      text={t('pauseText')}
      confirm={t('pause')}
      cancel={t('common:cancel')}
      pending={pause.isPending}
      onConfirm={() => pause.mutate(visitor.id, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
