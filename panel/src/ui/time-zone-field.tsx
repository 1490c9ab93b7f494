import { NativeSelect, type NativeSelectProps } from '@mantine/core';

const zones = Intl.supportedValuesOf('timeZone');

interface Props extends Omit<NativeSelectProps, 'data'> {
  value?: string;
  /** Shown first, as the choice of no time zone. */
  none?: string;
}

/** A choice of time zones. The current one may be unknown to the browser. */
export function TimeZoneField({ value = '', none, ...rest }: Props) {
  return (
    <NativeSelect
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      data={[
        ...(none === undefined ? [] : [{ value: '', label: none }]),
        ...(value && !zones.includes(value) ? [value] : []),
        ...zones,
      ]}
      value={value}
      {...rest}
    />
  );
}
