import { TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type CardProps, StyleColour } from '#features/portals/design/style-colour.tsx';
import { styleRange } from '#features/portals/design/style-range.ts';
import { useEditor } from '#features/portals/editor/editor-context.ts';
import classes from '#features/portals/fields/fields.module.css';
import { LanguageTabs } from '#features/portals/fields/language-tabs.tsx';
import { countMissing, textAttributes } from '#features/portals/fields/portal-languages.ts';
import { SliderField } from '#features/portals/fields/slider-field.tsx';
import { Card } from '#ui/card.tsx';
import layout from '#ui/form-layout.module.css';

export function WelcomeCard({ form, weak }: CardProps) {
  const { t } = useTranslation('portal-editor');
  const { portal, language, setLanguage } = useEditor();
  const { values, getInputProps } = form;
  return (
    <Card title={t('welcome')} description={t('welcomeHelp')}>
      <div className={layout.fields}>
        <div className={classes.translated}>
          <LanguageTabs
            label={`${t('textLanguage')}: ${t('welcome')}`}
            value={language}
            onChange={setLanguage}
            missing={countMissing(
              [values.messages.welcome_message_title, values.messages.subtitle],
              portal.page.languages,
            )}
          />
        </div>
        <TextInput
          key={language}
          label={t('message.welcome_message_title')}
          maxLength={200}
          {...textAttributes(language)}
          {...getInputProps(`messages.welcome_message_title.${language}`)}
        />
        <TextInput
          key={`subtitle ${language}`}
          label={t('message.subtitle')}
          maxLength={300}
          {...textAttributes(language)}
          {...getInputProps(`messages.subtitle.${language}`)}
        />
        <div className={layout.two}>
          <SliderField
            label={t('style.welcome_font_size')}
            bounds={styleRange.welcome_font_size}
            unit="px"
            {...getInputProps('styles.welcome_font_size')}
          />
          <StyleColour form={form} weak={weak} name="welcome_message_text_color" />
        </div>
      </div>
    </Card>
  );
}
