import { useTranslation } from 'react-i18next';
import classes from '#app/shell.module.css';

/** The code of a screen takes longer than a blink. */
export function PageLoading() {
  const { t } = useTranslation();
  return <div className={classes.loading} role="status" aria-label={t('loading')} />;
}
