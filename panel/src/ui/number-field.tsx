import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { typedAs } from '#ui/typed-as.ts';

interface Props extends Omit<TextInputProps, 'value' | 'onChange' | 'defaultValue'> {
  value?: number | string;
  onChange?: (value: number | string) => void;
  /** The unit, shown after the number. */
  unit?: string;
  /** Up to two decimals are allowed. */
  decimals?: boolean;
}

const digits = (typed: string): string => typed.replace(/[^\d.,-]/g, '').slice(0, 12);

/** With the decimal mark of the panel's language. */
const textOf = (value: number | string): string =>
  typeof value === 'number'
    ? value.toLocaleString(document.documentElement.lang, { useGrouping: false, maximumFractionDigits: 2 })
    : value;

/** The value of the form: a number, an empty text, or other text, which the contract refuses. */
function read(typed: string, decimals: boolean): number | string {
  if (decimals && /^\d+[.,]\d{1,2}$/.test(typed)) return Number(typed.replace(',', '.'));
  return /^\d+$/.test(typed) ? Number(typed) : typed.replaceAll('.', ',');
}

/**
 * A whole number, or one with decimals. Other input stays and gets a message: dropping the comma would turn 1,5 into 15. A
 * point is passed on as a comma, because 1.000 is a thousand to some readers and would be read as 1.
 */
export function NumberField({ value = '', onChange, unit, decimals = false, ...rest }: Props) {
  const [typed, setTyped] = useState('');
  return (
    <TextInput
      inputMode={decimals ? 'decimal' : 'numeric'}
      autoComplete="off"
      {...rest}
      {...(unit && { rightSection: <span aria-hidden="true">{unit}</span>, rightSectionWidth: 64 })}
      rightSectionPointerEvents="none"
      value={read(typed, decimals) === value ? typed : textOf(value)}
      onChange={event => {
        const text = typedAs(digits, event.currentTarget);
        setTyped(text);
        onChange?.(read(text, decimals));
      }}
    />
  );
}
