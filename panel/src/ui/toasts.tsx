import { IconAlertCircle, IconCircleCheck, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { closeToast, useToast } from '#lib/toast.ts';
import classes from '#ui/toasts.module.css';

/** Shows one message at a time. The region is always present, so that screen readers announce changes. */
export function Toasts() {
  const { t } = useTranslation();
  const toast = useToast();
  const Icon = toast?.kind === 'error' ? IconAlertCircle : IconCircleCheck;
  return (
    <div className={classes.region} role="status" aria-live={toast?.kind === 'error' ? 'assertive' : 'polite'}>
      {toast && (
        <div key={toast.id} className={classes.toast} data-kind={toast.kind}>
          <Icon size={20} stroke={1.8} aria-hidden className={classes.icon} />
          <div>
            {toast.details.length < 2 ? (
              (toast.details[0] ?? toast.text)
            ) : (
              <ul>
                {toast.details.map(detail => (
                  <li key={detail}>{detail}</li>
                ))}
              </ul>
            )}
          </div>
          {toast.undo && (
            <button
              type="button"
              className={classes.undo}
              onClick={() => {
                closeToast();
                toast.undo?.();
              }}
            >
              {t('undo')}
            </button>
          )}
          <button type="button" className={classes.close} onClick={closeToast} aria-label={t('close')}>
            <IconX size={16} aria-hidden />
          </button>
        </div>
      )}
    </div>
  );
}
