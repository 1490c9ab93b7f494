import { Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type CardProps, StyleColour } from '#features/portals/design/style-colour.tsx';
import { styleRange } from '#features/portals/design/style-range.ts';
import { PictureField } from '#features/portals/fields/picture-field.tsx';
import { SliderField } from '#features/portals/fields/slider-field.tsx';
import { Card } from '#ui/card.tsx';
import layout from '#ui/form-layout.module.css';

export function LogoCard({ form, weak }: CardProps) {
  const { t } = useTranslation('portal-editor');
  const { values, setFieldValue, getInputProps } = form;
  const on = values.styles.logo_type === 'active';
  return (
    <Card title={t('logo')}>
      <div className={layout.fields}>
        <Switch
          label={t('style.logo_type')}
          checked={on}
          onChange={event => setFieldValue('styles.logo_type', event.currentTarget.checked ? 'active' : 'passive')}
        />
        {on && (
          <>
            <PictureField
              label={t('style.portal_logo')}
              description={t('style.portal_logo_help')}
              collection="logo"
              {...getInputProps('styles.portal_logo')}
            />
            <div className={layout.two}>
              <SliderField
                label={t('style.logo_scale')}
                bounds={styleRange.logo_scale}
                unit="%"
                {...getInputProps('styles.logo_scale')}
              />
              <StyleColour form={form} weak={weak} name="logo_background_color" none={t('transparent')} />
            </div>
            <PictureField
              label={t('style.dark_logo')}
              description={t('style.dark_logo_help')}
              collection="logo"
              dark
              {...getInputProps('styles.dark_logo')}
            />
          </>
        )}
        <PictureField
          label={t('style.favicon')}
          description={t('style.favicon_help')}
          collection="icon"
          {...getInputProps('styles.favicon')}
        />
      </div>
    </Card>
  );
}
