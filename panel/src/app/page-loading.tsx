import { useTranslation } from 'react-i18next';
import classes from '#app/shell.module.css';

/** Shown when the code of a screen loads slowly. */
export function PageLoading() {
  const { t } = useTranslation();
  return <div className={classes.loading} role="status" aria-label={t('loading')} />;
}
