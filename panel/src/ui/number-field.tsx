import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';

interface Props extends Omit<TextInputProps, 'value' | 'onChange' | 'defaultValue'> {
  value?: number | string;
  onChange?: (value: number | string) => void;
  /** The unit, shown after the number. */
  unit?: string;
}

/** What a form gets: a whole number, an empty text, or the text that is neither, which the contract refuses. */
const read = (typed: string): number | string => (/^\d+$/.test(typed) ? Number(typed) : typed.replaceAll('.', ','));

/**
 * A whole number. What else is typed stays and gets a message: dropping the comma would turn 1,5 into 15. A point is passed
 * on as a comma, because 1.000 is a thousand to some readers and would be read as 1.
 */
export function NumberField({ value = '', onChange, unit, ...rest }: Props) {
  const [typed, setTyped] = useState('');
  return (
    <TextInput
      inputMode="numeric"
      autoComplete="off"
      {...rest}
      {...(unit && { rightSection: <span aria-hidden="true">{unit}</span>, rightSectionWidth: 64 })}
      rightSectionPointerEvents="none"
      value={read(typed) === value ? typed : String(value)}
      onChange={event => {
        const text = event.currentTarget.value.replace(/[^\d.,-]/g, '').slice(0, 12);
        setTyped(text);
        onChange?.(read(text));
      }}
    />
  );
}
