import '@mantine/core/styles/ColorInput.layer.css';
import '@mantine/core/styles/ColorPicker.layer.css';
import '@mantine/core/styles/ColorSwatch.layer.css';
import { ColorInput, type ColorInputProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';

const suggestions = ['#2f71f2', '#0f766e', '#15803d', '#b45309', '#c2410c', '#be123c', '#7c3aed', '#334155'];

/** A colour, typed or picked. */
export function ColorField(props: ColorInputProps) {
  const { t } = useTranslation('tenants');
  return (
    <ColorInput
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      swatches={suggestions}
      swatchesPerRow={8}
      eyeDropperButtonProps={{ 'aria-label': t('eyeDropper') }}
      {...props}
    />
  );
}
