import { Loader } from '@mantine/core';
import classes from '#features/auth/auth.module.css';
import { useAuthTexts } from '#features/auth/use-auth-texts.ts';

export function Waiting() {
  const { t } = useAuthTexts();
  return (
    <div className={classes.waiting} role="status" aria-label={t('common:loading')}>
      <Loader size={28} />
    </div>
  );
}
