import { NativeSelect } from '@mantine/core';
import type { BackgroundArt } from '@portico/contract/portal-styles.ts';
import { useTranslation } from 'react-i18next';
import { type CardProps, StyleColour } from '#features/portals/design/style-colour.tsx';
import { styleRange } from '#features/portals/design/style-range.ts';
import { useEditor } from '#features/portals/editor/editor-context.ts';
import { ChoiceField } from '#features/portals/fields/choice-field.tsx';
import { PictureField } from '#features/portals/fields/picture-field.tsx';
import { SliderField } from '#features/portals/fields/slider-field.tsx';
import { Card } from '#ui/card.tsx';
import layout from '#ui/form-layout.module.css';

const backgroundArts = [
  'hotel',
  'cafe',
  'hospital',
  'airport',
  'campus',
  'event',
  'festive',
] as const satisfies readonly BackgroundArt[];

export function BackgroundCard({ form, weak }: CardProps) {
  const { t } = useTranslation('portal-editor');
  const { readOnly } = useEditor();
  const { values, getInputProps } = form;
  const art = getInputProps('styles.background_art');
  const { background_type, background_image, background_art, color_type } = values.styles;
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
        {background_type !== 'color' && !background_image && (
          <NativeSelect
            label={t('style.background_art')}
            description={t('style.background_art_help')}
            data={[
              { value: '', label: t('noArt') },
              ...backgroundArts.map(value => ({ value, label: t(`template.${value}`) })),
            ]}
            disabled={readOnly}
            {...art}
            value={background_art ?? ''}
            onChange={({ currentTarget: { value } }) => art.onChange(value || null)}
          />
        )}
        {background_type !== 'color' && (background_image || background_art) && (
          <div className={layout.two}>
            {(['background_focus_x', 'background_focus_y'] as const).map(key => (
              <SliderField
                key={key}
                label={t(`style.${key}`)}
                bounds={styleRange[key]}
                unit="%"
                {...getInputProps(`styles.${key}`)}
              />
            ))}
          </div>
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
