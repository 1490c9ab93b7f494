import { TextInput, type TextInputProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from '#features/tenants/color-field.module.css';
import { typedAs } from '#ui/typed-as.ts';

interface Props extends Omit<TextInputProps, 'value' | 'onChange' | 'defaultValue'> {
  label: string;
  value?: string;
  onChange?: (color: string) => void;
}

/** `2f71f2` and `#2F71F2` are the same colour. */
function tidy(typed: string): string {
  const text = typed.trim().toLowerCase();
  return /^[0-9a-f]{6}$/.test(text) ? `#${text}` : text;
}

/** A colour field with a picker. */
export function ColorField({ label, value = '', onChange, ...rest }: Props) {
  const { t } = useTranslation('tenants');
  return (
    <TextInput
      label={label}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      placeholder="#2f71f2"
      maxLength={7}
      spellCheck={false}
      autoComplete="off"
      {...rest}
      value={value}
      onChange={event => onChange?.(typedAs(tidy, event.currentTarget))}
      leftSectionPointerEvents="all"
      leftSection={
        <input
          type="color"
          className={classes.swatch}
          aria-label={t('pickColor', { name: label })}
          value={/^#[0-9a-f]{6}$/.test(value) ? value : '#ffffff'}
          onChange={event => onChange?.(event.currentTarget.value)}
        />
      }
    />
  );
}
