import { Button } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '#ui/save-bar.module.css';
import { UnsavedGuard } from '#ui/unsaved-guard.tsx';

export interface SaveBarProps {
  dirty: boolean;
  pending: boolean;
  onDiscard: () => void;
  /** Says something more urgent than that there are unsaved changes. */
  note?: string | undefined;
  /** The user may not save, for example because the permission was taken away meanwhile. */
  readOnly?: boolean;
  /** The bar stays although nothing is changed, because a change can be redone. */
  stays?: boolean;
  /** Another way to save. */
  children?: ReactNode;
}

/** Appears in a form with unsaved changes and asks before the user leaves them. */
export function SaveBar({ dirty, pending, onDiscard, note, readOnly = false, stays = false, children }: SaveBarProps) {
  const { t } = useTranslation(['common', 'unsaved']);
  const shown = dirty || stays;
  useEffect(() => {
    // The bar comes with the first letter, after the browser has scrolled to the field.
    if (dirty) document.activeElement?.scrollIntoView({ block: 'nearest' });
  }, [dirty]);
  return (
    <>
      <div className={classes.bar} data-shown={shown || undefined} inert={!shown}>
        <span aria-live="polite">{dirty && (readOnly ? t('unsaved:refused') : (note ?? t('unsaved:bar')))}</span>
        <div className={classes.buttons}>
          <Button
            variant="default"
            onClick={event => {
              onDiscard();
              // For texts that are no values of the form, such as half a date.
              event.currentTarget.form?.dispatchEvent(new Event('reset'));
            }}
            disabled={pending}
          >
            {t('discard')}
          </Button>
          {!readOnly && (
            <>
              {children}
              <Button type="submit" loading={pending} disabled={stays}>
                {t('save')}
              </Button>
            </>
          )}
        </div>
      </div>
      <UnsavedGuard dirty={dirty} pending={pending} />
    </>
  );
}
