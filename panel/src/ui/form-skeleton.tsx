import { useTranslation } from 'react-i18next';
import classes from '#ui/form-skeleton.module.css';

/** The shape of a form before its values arrive. */
export function FormSkeleton({ fields = 5 }: { fields?: number }) {
  const { t } = useTranslation();
  return (
    <div className={classes.card} role="status" aria-busy aria-label={t('loading')}>
      {Array.from({ length: fields }, (_, i) => i).map(i => (
        <div key={i}>
          <span />
          <span />
        </div>
      ))}
    </div>
  );
}
