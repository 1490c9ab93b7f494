import { TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useBeforeSubmit } from '#ui/before-submit.ts';
import type { DateInputProps } from '#ui/date-input.tsx';

/** The browser's own field. An incomplete date has no value, so the form would be sent without it. */
export function TouchDateInput({ value = '', onChange, error, ...rest }: DateInputProps) {
  const { inPopover: _, ...props } = rest;
  const { t } = useTranslation('date-fields');
  const field = useRef<HTMLInputElement>(null);
  const [isNamed, name] = useState(false);
  const isWhole = () => !field.current?.validity.badInput;
  useBeforeSubmit(field, () => {
    name(!isWhole());
    return isWhole();
  });
  return (
    <TextInput
      {...props}
      ref={field}
      value={value}
      error={isNamed ? t('incomplete') : error}
      onInput={() => isWhole() && name(false)}
      onChange={event => onChange?.(event.currentTarget.value)}
    />
  );
}
