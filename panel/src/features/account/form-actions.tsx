import { Button } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import classes from '#features/account/account.module.css';
import { lazyPart } from '#lib/lazy-part.tsx';

const Confirm = lazyPart(() => import('#ui/confirm.tsx'), 'Confirm');

interface Props {
  dirty: boolean;
  pending: boolean;
  onReset: () => void;
}

/** Reset and Save Settings at the foot of a form; what is unsaved is not left behind without asking. */
export function FormActions({ dirty, pending, onReset }: Props) {
  const { t } = useTranslation(['account', 'common']);
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => dirty && !pending && current.pathname !== next.pathname,
    enableBeforeUnload: () => dirty,
    withResolver: true,
  });
  return (
    <div className={classes.actions}>
      <Button variant="default" onClick={onReset} disabled={!dirty || pending}>
        {t('reset')}
      </Button>
      <Button type="submit" loading={pending}>
        {t('save')}
      </Button>
      {blocker.status === 'blocked' && (
        <Confirm
          opened
          title={t('common:unsaved.title')}
          text={t('common:unsaved.text')}
          confirm={t('common:unsaved.leave')}
          cancel={t('common:unsaved.stay')}
          danger
          onConfirm={() => blocker.proceed()}
          onClose={() => blocker.reset()}
        />
      )}
    </div>
  );
}
