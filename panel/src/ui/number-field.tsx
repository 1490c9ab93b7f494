import { TextInput, type TextInputProps } from '@mantine/core';

interface Props extends Omit<TextInputProps, 'value' | 'onChange' | 'defaultValue'> {
  value?: number | string;
  onChange?: (value: number | '') => void;
  /** The unit, shown after the number. */
  unit?: string;
}

/** A whole number. It has a twentieth of the size of Mantine's NumberInput, for screens that open with one. */
export function NumberField({ value = '', onChange, unit, ...rest }: Props) {
  return (
    <TextInput
      inputMode="numeric"
      autoComplete="off"
      {...rest}
      {...(unit && { rightSection: <span aria-hidden="true">{unit}</span>, rightSectionWidth: 64 })}
      rightSectionPointerEvents="none"
      value={String(value)}
      onChange={event => {
        const digits = event.currentTarget.value.replace(/\D/g, '').slice(0, 9);
        onChange?.(digits === '' ? '' : Number(digits));
      }}
    />
  );
}
