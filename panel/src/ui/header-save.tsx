import { Button } from '@mantine/core';
import { useIsMutating } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import classes from '#ui/save-bar.module.css';

/** The id of the form that the button in the header saves, and the key of the change that saves it. */
export const pageForm = 'page-form';

/** The Save button in a header, beside the tabs. While there are unsaved changes, that of the bar takes its place. */
export function HeaderSave() {
  const { t } = useTranslation();
  const isSaving = useIsMutating({ mutationKey: [pageForm] }) > 0;
  return (
    <Button type="submit" form={pageForm} loading={isSaving} className={classes.inHeader}>
      {t('save')}
    </Button>
  );
}
