import { Button, Checkbox, Group, Modal } from '@mantine/core';
import type { TemplateName } from '@portico/contract/portal-templates.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { GeneralForm } from '#features/portals/design/general-values.ts';
import { useEditor } from '#features/portals/editor/editor-context.ts';
import { applyTemplate, hasOwnTexts } from '#features/portals/templates/apply-template.ts';
import classes from '#features/portals/templates/template-gallery.module.css';
import { TemplateGallery } from '#features/portals/templates/template-gallery.tsx';
import modal from '#ui/modal.module.css';

/** Puts a template's design and texts into the form, unsaved. Says what it would replace, and keeps it unless told otherwise. */
export function TemplateDialog({ form, onClose }: { form: GeneralForm; onClose: () => void }) {
  const { t } = useTranslation(['portal-editor', 'common']);
  const { portal } = useEditor();
  const [name, setName] = useState<TemplateName | null>(null);
  const [texts, setTexts] = useState(true);
  const [picture, setPicture] = useState(true);
  const { values } = form;
  const use = () => {
    if (!name) return;
    const next = applyTemplate(values, name, { texts, picture });
    form.setFieldValue('styles', next.styles);
    for (const [key, words] of Object.entries(next.messages)) form.setFieldValue(`messages.${key}`, words);
    onClose();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('template.choose')}
      size={820}
      closeButtonProps={{ 'aria-label': t('common:close') }}
      classNames={modal}
    >
      <p className={modal.text}>{t('template.help')}</p>
      <TemplateGallery portalId={portal.id} value={name} onChange={setName} />
      <div className={classes.keep}>
        {hasOwnTexts(values.messages) && (
          <Checkbox
            label={t('template.keepTexts')}
            description={t('template.keepTextsHelp')}
            checked={texts}
            onChange={event => setTexts(event.currentTarget.checked)}
          />
        )}
        {values.styles.background_image && (
          <Checkbox
            label={t('template.keepPicture')}
            checked={picture}
            onChange={event => setPicture(event.currentTarget.checked)}
          />
        )}
      </div>
      <Group justify="flex-end" gap={8} className={modal.foot ?? ''}>
        <Button variant="default" onClick={onClose}>
          {t('common:cancel')}
        </Button>
        <Button disabled={!name} onClick={use}>
          {t('template.use')}
        </Button>
      </Group>
    </Modal>
  );
}
