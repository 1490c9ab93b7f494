import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from '#ui/save-bar.module.css';

/** The id of the form that the button in the header saves. */
export const pageForm = 'page-form';

/** The Save button in a header, beside the tabs. While there are unsaved changes, that of the bar takes its place. */
export function HeaderSave() {
  const { t } = useTranslation();
  return (
    <Button type="submit" form={pageForm} className={classes.inHeader}>
      {t('save')}
    </Button>
  );
}
