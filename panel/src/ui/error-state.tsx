import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Illustration } from '#ui/illustration.tsx';
import classes from '#ui/state.module.css';

interface Props {
  title?: string | undefined;
  text?: string | undefined;
  onRetry?: (() => void) | undefined;
  /** Where trying again is of no use. */
  onBack?: (() => void) | undefined;
}

/** A loading error with a button to try again. */
export function ErrorState({ title, text, onRetry, onBack }: Props) {
  const { t } = useTranslation();
  return (
    <div className={classes.state} role="alert">
      <Illustration name="broken" />
      <h2>{title ?? t('error.title')}</h2>
      <p>{text ?? t('error.text')}</p>
      {onRetry && (
        <Button variant="default" onClick={onRetry}>
          {t('retry')}
        </Button>
      )}
      {onBack && (
        <Button variant="default" onClick={onBack}>
          {t('error.goBack')}
        </Button>
      )}
    </div>
  );
}
