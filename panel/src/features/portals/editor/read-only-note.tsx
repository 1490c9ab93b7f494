import { useTranslation } from 'react-i18next';
import { useEditor } from '#features/portals/editor/editor-context.ts';
import classes from '#features/portals/editor/portal-editor.module.css';

export function ReadOnlyNote() {
  const { t } = useTranslation('portal-editor');
  return useEditor().readOnly && <p className={classes.note}>{t('readOnly')}</p>;
}
