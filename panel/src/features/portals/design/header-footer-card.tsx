import { Textarea } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { GeneralForm } from '#features/portals/design/general-values.ts';
import { useEditor } from '#features/portals/editor/editor-context.ts';
import classes from '#features/portals/fields/fields.module.css';
import { LanguageTabs } from '#features/portals/fields/language-tabs.tsx';
import { countMissing, textAttributes } from '#features/portals/fields/portal-languages.ts';
import { Card } from '#ui/card.tsx';
import layout from '#ui/form-layout.module.css';

/** The texts above and below the sign-in, in each language. */
export function HeaderFooterCard({ form }: { form: GeneralForm }) {
  const { t } = useTranslation('portal-editor');
  const { portal, language, setLanguage } = useEditor();
  const { values, getInputProps } = form;
  const { header_text, footer_text, opening_hours } = values.messages;
  return (
    <Card title={t('headerFooter')} description={t('headerFooterHelp')}>
      <div className={layout.fields}>
        <div className={classes.translated}>
          <LanguageTabs
            label={`${t('textLanguage')}: ${t('headerFooter')}`}
            value={language}
            onChange={setLanguage}
            missing={countMissing([header_text, footer_text, opening_hours], portal.page.languages)}
          />
        </div>
        {(['header_text', 'footer_text', 'opening_hours'] as const).map(key => (
          <Textarea
            key={`${key} ${language}`}
            label={t(`message.${key}`)}
            autosize
            minRows={2}
            maxLength={1000}
            {...textAttributes(language)}
            {...getInputProps(`messages.${key}.${language}`)}
          />
        ))}
      </div>
    </Card>
  );
}
