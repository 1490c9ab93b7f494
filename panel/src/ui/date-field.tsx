import { dateFormat } from '#lib/date-format.ts';
import { language } from '#lib/language.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { isBrowserZone } from '#lib/time-zone.ts';
import type { DateInputProps } from '#ui/date-input.tsx';

const DateInput = lazyPart(() => import('#ui/date-input.tsx'), 'DateInput', 'in-place');

interface Props extends DateInputProps {
  /** The time zone of the value; named where the browser's clock shows another time. */
  timeZone?: string;
}

/** A date or a date with time. It is repeated below with the weekday and the name of the month. */
export function DateField({ description, timeZone, onChange, ...rest }: Props) {
  const { type, value = '' } = rest;
  const zone = timeZone !== undefined && !isBrowserZone(timeZone) && timeZone;
  const shown = [written(value, type), zone].filter(Boolean).join(' · ');
  const more = {
    inputWrapperOrder: ['label', 'input', 'description', 'error'] as ('label' | 'input' | 'description' | 'error')[],
    description:
      description && shown ? (
        <>
          {shown}. {description}
        </>
      ) : (
        shown || description
      ),
  };
  return <DateInput {...more} {...rest} {...(onChange && { onChange })} />;
}

/** `Sat, 21 Nov 2026, 14:30`; empty for an incomplete value. */
function written(value: string, type: Props['type']): string {
  // A date without a time would be parsed as UTC.
  const time = new Date(type === 'date' ? `${value}T00:00` : value);
  if (Number.isNaN(time.getTime())) return '';
  const seconds = value.length > 'yyyy-mm-ddThh:mm'.length ? ({ second: '2-digit' } as const) : {};
  const clock = type === 'date' ? {} : ({ hour: '2-digit', minute: '2-digit', ...seconds } as const);
  const day = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const;
  return dateFormat(language() === 'tr' ? 'tr-TR' : 'en-GB', { ...day, ...clock }).format(time);
}
