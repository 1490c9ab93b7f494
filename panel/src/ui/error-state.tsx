import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Illustration } from '#ui/illustration.tsx';
import classes from '#ui/state.module.css';
import { StateHeading } from '#ui/state-heading.tsx';

interface Props {
  title?: string | undefined;
  text?: string | undefined;
  onRetry?: (() => void) | undefined;
  /** Replaces a whole screen. */
  screen?: boolean;
  /** Ways out. */
  children?: ReactNode;
}

/** A loading error with a button to try again. */
export function ErrorState({ title, text, onRetry, screen = false, children }: Props) {
  const { t } = useTranslation();
  return (
    <div className={classes.state} role="alert">
      <Illustration name="broken" />
      <StateHeading title={title ?? t('error.title')} screen={screen} />
      <p>{text ?? t('error.text')}</p>
      <div className={classes.ways}>
        {onRetry && (
          <Button variant="default" onClick={onRetry}>
            {t('retry')}
          </Button>
        )}
        {children}
      </div>
    </div>
  );
}
