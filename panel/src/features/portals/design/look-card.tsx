import { NativeSelect } from '@mantine/core';
import type { PortalFont, PortalLayout } from '@portico/contract/portal-styles.ts';
import { useTranslation } from 'react-i18next';
import { type CardProps, StyleColour } from '#features/portals/design/style-colour.tsx';
import { styleRange } from '#features/portals/design/style-range.ts';
import { useEditor } from '#features/portals/editor/editor-context.ts';
import { ChoiceField } from '#features/portals/fields/choice-field.tsx';
import { SliderField } from '#features/portals/fields/slider-field.tsx';
import { Card } from '#ui/card.tsx';
import layout from '#ui/form-layout.module.css';

const layouts = ['card', 'split', 'sheet', 'banner'] as const satisfies readonly PortalLayout[];
const fonts: readonly { value: PortalFont; name: string; titleOnly?: boolean }[] = [
  { value: 'figtree', name: 'Figtree' },
  { value: 'nunito', name: 'Nunito' },
  { value: 'space-grotesk', name: 'Space Grotesk' },
  { value: 'playfair', name: 'Playfair', titleOnly: true },
  { value: 'fraunces', name: 'Fraunces', titleOnly: true },
];

/** The layout of the page, its fonts and its shapes. */
export function LookCard({ form, weak }: CardProps) {
  const { t } = useTranslation('portal-editor');
  const { readOnly } = useEditor();
  const { values, getInputProps } = form;
  const choices = (titles: boolean) => [
    { value: 'system', label: t('systemFont') },
    ...fonts.filter(it => titles || !it.titleOnly).map(({ value, name: label }) => ({ value, label })),
  ];
  return (
    <Card title={t('look')}>
      <div className={layout.fields}>
        <ChoiceField
          label={t('style.layout')}
          description={t(`layoutHelp.${values.styles.layout}`)}
          options={layouts.map(value => ({ value, label: t(`layout.${value}`) }))}
          disabled={readOnly}
          {...getInputProps('styles.layout')}
        />
        <div className={layout.two}>
          <NativeSelect label={t('style.title_font')} data={choices(true)} {...getInputProps('styles.title_font')} />
          <NativeSelect label={t('style.text_font')} data={choices(false)} {...getInputProps('styles.text_font')} />
        </div>
        <div className={layout.two}>
          <SliderField
            label={t('style.corner_radius')}
            bounds={styleRange.corner_radius}
            unit="px"
            {...getInputProps('styles.corner_radius')}
          />
        </div>
        <ChoiceField
          label={t('style.button_shape')}
          options={(['rounded', 'pill', 'square'] as const).map(value => ({ value, label: t(`shape.${value}`) }))}
          disabled={readOnly}
          {...getInputProps('styles.button_shape')}
        />
        {values.styles.color_scheme === 'light' && (
          <ChoiceField
            label={t('style.dark_mode')}
            description={t('style.dark_mode_help')}
            options={(['off', 'device'] as const).map(value => ({ value, label: t(`darkMode.${value}`) }))}
            disabled={readOnly}
            {...getInputProps('styles.dark_mode')}
          />
        )}
        <div className={layout.two}>
          <StyleColour form={form} weak={weak} name="theme_color" none={t('browserDefault')} />
        </div>
      </div>
    </Card>
  );
}
