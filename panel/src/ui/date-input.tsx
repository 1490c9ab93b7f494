import { ActionIcon, type TextInputProps } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import '@mantine/dates/styles.layer.css';
import { DateInput as MantineDateInput } from '@mantine/dates';
import 'dayjs/locale/tr';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { language } from '#lib/language.ts';
import { useBeforeSubmit } from '#ui/before-submit.ts';
import { parseDate } from '#ui/parse-date.ts';

export interface DateInputProps
  extends Omit<
    TextInputProps,
    'type' | 'value' | 'defaultValue' | 'onChange' | 'size' | 'classNames' | 'styles' | 'vars'
  > {
  type: 'date' | 'datetime-local';
  /** In the format of `<input>`: `2026-11-20`, or `2026-11-20T14:30` with seconds if `step` is 1. */
  value?: string;
  onChange?: (value: string) => void;
  /** Set inside a popover, which a click on a calendar elsewhere in the document would close. */
  inPopover?: boolean;
}

/** A date or a date with time, typed as DD.MM.YYYY HH:mm or chosen in a calendar in the panel's language. */
export function DateInput({ type, value = '', onChange, step, inPopover = false, onBlur, ...rest }: DateInputProps) {
  const { t } = useTranslation('date-fields');
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  /** A text that is no date, such as 31.02. Mantine keeps the last date meanwhile, which must not be saved in its place. */
  const [unreadable, setUnreadable] = useState<string>();
  const [isNamed, name] = useState(false);
  const [round, setRound] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  /** A day of the calendar has no time, so the time of the field stays. */
  const keepsTime = useRef(false);
  const forget = () => {
    setUnreadable(undefined);
    name(false);
  };
  useBeforeSubmit(field, () => {
    name(unreadable !== undefined);
    return unreadable === undefined;
  });
  const latest = useRef(unreadable);
  latest.current = unreadable;
  useEffect(() => {
    // The form has another date now, or was taken back: Mantine shows it if it begins again.
    const begin = () => {
      if (latest.current === undefined) return;
      forget();
      setRound(it => it + 1);
    };
    begin();
    const form = field.current?.form;
    form?.addEventListener('reset', begin);
    return () => form?.removeEventListener('reset', begin);
  }, [value]);
  const withTime = type === 'datetime-local';
  const seconds = step === 1;
  const clock = withTime ? (seconds ? ' HH:mm:ss' : ' HH:mm') : '';
  const format = t(withTime ? (seconds ? 'dateAndSecond' : 'dateAndTime') : 'date');
  const length = withTime ? (seconds ? 19 : 16) : 10;
  return (
    <MantineDateInput
      key={round}
      {...rest}
      {...(isNamed && { error: t('lost', { typed: unreadable, format }), description: undefined })}
      fixOnBlur={unreadable === undefined}
      locale={language()}
      valueFormat={`DD.MM.YYYY${clock}`}
      placeholder={format}
      withTime={withTime}
      dateParser={parseDate}
      allowDeselect
      weekendDays={[]}
      hideOutsideDates
      // Escape closes the calendar, not also the dialog around it.
      data-mantine-stop-propagation={open || undefined}
      ref={field}
      onInput={event => {
        const typed = event.currentTarget.value;
        forget();
        if (typed.trim() && !parseDate(typed)) setUnreadable(typed);
      }}
      onBlur={event => {
        close();
        name(unreadable !== undefined);
        onBlur?.(event);
      }}
      // The field is pressed in order to type, so a phone's keyboard takes the place of the calendar.
      onClick={close}
      onKeyDown={event => event.key === 'Escape' && close()}
      getDayProps={() => ({
        onClick: () => {
          keepsTime.current = true;
          close();
        },
      })}
      rightSection={
        <ActionIcon
          variant="subtle"
          color="gray"
          size="md"
          tabIndex={-1}
          aria-label={t('calendar')}
          // The field keeps the focus; leaving it closes the calendar.
          onMouseDown={event => event.preventDefault()}
          onClick={() => {
            // Before the field gets the focus: a phone's keyboard would cover the calendar.
            flushSync(() => setOpen(!open));
            field.current?.focus();
          }}
        >
          <IconCalendar size={16} />
        </ActionIcon>
      }
      inputMode={open ? 'none' : 'text'}
      wrapperProps={{ 'data-date-field': true }}
      // It opens by its button only: while a date is typed, it would cover the part below the field.
      popoverProps={{ opened: open, shadow: 'md', zIndex: 310, withinPortal: !inPopover }}
      ariaLabels={{
        nextMonth: t('nextMonth'),
        previousMonth: t('previousMonth'),
        nextYear: t('nextYear'),
        previousYear: t('previousYear'),
        nextDecade: t('nextDecade'),
        previousDecade: t('previousDecade'),
      }}
      value={value ? value.replace('T', ' ') : null}
      onChange={chosen => {
        forget();
        const time = keepsTime.current && value.slice(10);
        keepsTime.current = false;
        onChange?.(chosen ? (time ? chosen.slice(0, 10) + time : chosen.slice(0, length).replace(' ', 'T')) : '');
      }}
    />
  );
}
