import { useTranslation } from 'react-i18next';
import { type CardProps, StyleColour } from '#features/portals/design/style-colour.tsx';
import { useEditor } from '#features/portals/editor/editor-context.ts';
import { ChoiceField } from '#features/portals/fields/choice-field.tsx';
import { PictureField } from '#features/portals/fields/picture-field.tsx';
import { Card } from '#ui/card.tsx';
import layout from '#ui/form-layout.module.css';

export function BackgroundCard({ form, weak }: CardProps) {
  const { t } = useTranslation('portal-editor');
  const { readOnly } = useEditor();
  const { values, getInputProps } = form;
  const { background_type, color_type } = values.styles;
  return (
    <Card title={t('background')}>
      <div className={layout.fields}>
        <ChoiceField
          label={t('style.background_type')}
          options={(['color', 'image', 'color_image'] as const).map(value => ({
            value,
            label: t(`backgroundType.${value}`),
          }))}
          description={t(`backgroundHelp.${background_type}`)}
          disabled={readOnly}
          {...getInputProps('styles.background_type')}
        />
        {background_type !== 'color' && (
          <PictureField
            label={t('style.background_image')}
            description={t('style.background_image_help')}
            collection="background"
            {...getInputProps('styles.background_image')}
          />
        )}
        <ChoiceField
          label={t('style.color_type')}
          options={[
            { value: 'solid', label: t('solid') },
            { value: 'gradient', label: t('gradient') },
          ]}
          {...(color_type === 'gradient' && { description: t('gradientHelp') })}
          disabled={readOnly}
          {...getInputProps('styles.color_type')}
        />
        <div className={layout.two}>
          <StyleColour form={form} weak={weak} name="background_color" />
          {color_type === 'gradient' && <StyleColour form={form} weak={weak} name="secondary_color" />}
        </div>
      </div>
    </Card>
  );
}
