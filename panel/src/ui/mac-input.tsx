import { TextInput, type TextInputProps } from '@mantine/core';
import { formatMac } from '@portico/contract/mac.ts';

interface Props extends Omit<TextInputProps, 'value' | 'onChange' | 'defaultValue'> {
  value?: string;
  onChange?: (mac: string) => void;
}

/** Typed or pasted in any shape, shown as A1:B2:C3:D4:E5:F6. */
export function MacInput({ value = '', onChange, ...rest }: Props) {
  return (
    <TextInput
      placeholder="A1:B2:C3:D4:E5:F6"
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      maxLength={17}
      {...rest}
      value={value}
      // A paste may be longer than the finished form before it is put in order.
      onPaste={event => {
        event.preventDefault();
        onChange?.(formatMac(event.clipboardData.getData('text')));
      }}
      onChange={event => onChange?.(formatMac(event.currentTarget.value))}
    />
  );
}
