import { TextInput, type TextInputProps } from '@mantine/core';
import { language } from '#lib/language.ts';
import { isBrowserZone } from '#lib/time-zone.ts';

interface Props extends Omit<TextInputProps, 'type' | 'value'> {
  type: 'date' | 'datetime-local';
  value?: string;
  /** The time zone of the value; named where the browser's clock shows another time. */
  timeZone?: string;
}

/** A date or a date with time. Browsers show it in their own language, so the value is repeated below in the panel's. */
export function DateField({ type, value = '', description, timeZone, ...rest }: Props) {
  const zone = timeZone !== undefined && !isBrowserZone(timeZone) && timeZone;
  const shown = [written(value, type), zone].filter(Boolean).join(' · ');
  return (
    <TextInput
      type={type}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      {...rest}
      description={
        description && shown ? (
          <>
            {shown}. {description}
          </>
        ) : (
          shown || description
        )
      }
      value={value}
    />
  );
}

/** `Sat, 21 Nov 2026, 14:30`; empty for an incomplete value. */
function written(value: string, type: Props['type']): string {
  // A date without a time would be parsed as UTC.
  const time = new Date(type === 'date' ? `${value}T00:00` : value);
  if (Number.isNaN(time.getTime())) return '';
  const seconds = value.length > 'yyyy-mm-ddThh:mm'.length ? ({ second: '2-digit' } as const) : {};
  const clock = type === 'date' ? {} : ({ hour: '2-digit', minute: '2-digit', ...seconds } as const);
  const day = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const;
  return new Intl.DateTimeFormat(language() === 'tr' ? 'tr-TR' : 'en-GB', { ...day, ...clock }).format(time);
}
