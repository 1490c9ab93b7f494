import { useBlocker } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '#lib/lazy-part.tsx';

const Confirm = lazyPart(() => import('#ui/confirm.tsx'), 'Confirm');

interface Props {
  dirty: boolean;
  pending: boolean;
  /** What is chosen in the address' query is lost, too, when that changes. */
  byQuery?: boolean;
}

/** Asks before unsaved changes are left behind: by a link, by going back, by closing. */
export function UnsavedGuard({ dirty, pending, byQuery = false }: Props) {
  const { t } = useTranslation('common');
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      dirty &&
      !pending &&
      (current.pathname !== next.pathname ||
        (byQuery && JSON.stringify(current.search) !== JSON.stringify(next.search))),
    enableBeforeUnload: () => dirty,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  return (
    <Confirm
      opened
      title={t('unsaved.title')}
      text={t('unsaved.text')}
      confirm={t('unsaved.leave')}
      cancel={t('unsaved.stay')}
      danger
      onConfirm={() => blocker.proceed()}
      onClose={() => blocker.reset()}
    />
  );
}
