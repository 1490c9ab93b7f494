import { useBlocker } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { mustLeave } from '#lib/forced-leave.ts';
import { lazyPart } from '#lib/lazy-part.tsx';

const Confirm = lazyPart(() => import('#ui/confirm.tsx'), 'Confirm');

interface Props {
  dirty: boolean;
  pending: boolean;
  /** Asks when the query of the address changes, too. */
  byQuery?: boolean;
}

/** Asks before the user leaves unsaved changes by a link, the back button or closing the tab. */
export function UnsavedGuard({ dirty, pending, byQuery = false }: Props) {
  const { t } = useTranslation('unsaved');
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      dirty &&
      !pending &&
      (current.pathname !== next.pathname ||
        (byQuery && JSON.stringify(current.search) !== JSON.stringify(next.search))),
    // When the server ends the session, what was typed is kept for the next sign-in of its user.
    enableBeforeUnload: () => dirty && !mustLeave(),
    withResolver: true,
  });
  const { proceed } = blocker;
  // A save may end between the click and the question, so that there is nothing to lose any more.
  useEffect(() => {
    if (!dirty) proceed?.();
  }, [dirty, proceed]);
  if (blocker.status !== 'blocked') return null;
  return (
    <Confirm
      opened
      title={t('title')}
      text={t('text')}
      confirm={t('leave')}
      cancel={t('stay')}
      danger
      onConfirm={() => blocker.proceed()}
      onClose={() => blocker.reset()}
    />
  );
}
