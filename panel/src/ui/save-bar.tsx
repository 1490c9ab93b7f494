import { Button } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '#lib/lazy-part.tsx';
import classes from '#ui/save-bar.module.css';

const Confirm = lazyPart(() => import('#ui/confirm.tsx'), 'Confirm');

export interface SaveBarProps {
  dirty: boolean;
  pending: boolean;
  onDiscard: () => void;
  /** Another way to save. */
  children?: ReactNode;
}

/** Appears inside a form with unsaved changes, and asks before they are left behind. */
export function SaveBar({ dirty, pending, onDiscard, children }: SaveBarProps) {
  const { t } = useTranslation();
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => dirty && !pending && current.pathname !== next.pathname,
    enableBeforeUnload: () => dirty,
    withResolver: true,
  });
  return (
    <>
      <div className={classes.bar} data-shown={dirty || undefined} inert={!dirty}>
        <span aria-live="polite">{dirty && t('unsaved.bar')}</span>
        <Button variant="default" onClick={onDiscard} disabled={pending}>
          {t('discard')}
        </Button>
        {children}
        <Button type="submit" loading={pending}>
          {t('save')}
        </Button>
      </div>
      {blocker.status === 'blocked' && (
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
      )}
    </>
  );
}
