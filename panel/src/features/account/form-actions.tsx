import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from '#features/account/account.module.css';
import { UnsavedGuard } from '#ui/unsaved-guard.tsx';

interface Props {
  dirty: boolean;
  pending: boolean;
  /** The form can be saved once something is typed. */
  needsInput?: boolean;
  onReset: () => void;
}

/** The Reset and Save buttons of a form, with a guard for unsaved changes. */
export function FormActions({ dirty, pending, needsInput = false, onReset }: Props) {
  const { t } = useTranslation('account');
  return (
    <div className={classes.actions}>
      <Button variant="default" onClick={onReset} disabled={!dirty || pending}>
        {t('reset')}
      </Button>
      <Button type="submit" loading={pending} disabled={needsInput && !dirty}>
        {t('save')}
      </Button>
      <UnsavedGuard dirty={dirty} pending={pending} />
    </div>
  );
}
