import { TextInput, type TextInputProps } from '@mantine/core';
import { formatMac } from '@portico/contract/mac.ts';
import { typedAs } from '#ui/typed-as.ts';

interface Props extends Omit<TextInputProps, 'value' | 'onChange' | 'defaultValue'> {
  value?: string;
  onChange?: (mac: string) => void;
}

/** Accepts a MAC address in any notation and shows it as A1:B2:C3:D4:E5:F6. */
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
      // Pasted text may be longer before it is normalised.
      onPaste={event => {
        event.preventDefault();
        onChange?.(formatMac(event.clipboardData.getData('text')));
      }}
      onChange={event => onChange?.(typedAs(formatMac, event.currentTarget))}
    />
  );
}
