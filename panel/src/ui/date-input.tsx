import { ActionIcon, type TextInputProps } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import '@mantine/dates/styles.layer.css';
import { DateInput as MantineDateInput } from '@mantine/dates';
import 'dayjs/locale/tr';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { language } from '#lib/language.ts';
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
  /** A text that was no date, such as 31.02.: it is gone when the field is left, so it is named below. */
  const [lost, setLost] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  // Mantine keeps the last date while another text stands in the field: Enter would send that one.
  const isDate = (typed: string) => typed.trim() === '' || Boolean(parseDate(typed));
  const check = (typed: string) => field.current?.setCustomValidity(isDate(typed) ? '' : t('unreadable', { format }));
  const withTime = type === 'datetime-local';
  const seconds = step === 1;
  const clock = withTime ? (seconds ? ' HH:mm:ss' : ' HH:mm') : '';
  const format = t(withTime ? (seconds ? 'dateAndSecond' : 'dateAndTime') : 'date');
  const length = withTime ? (seconds ? 19 : 16) : 10;
  return (
    <MantineDateInput
      {...rest}
      error={rest.error ?? (lost !== undefined && t('lost', { typed: lost, format }))}
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
        setLost(undefined);
        check(event.currentTarget.value);
      }}
      onBlur={event => {
        close();
        const typed = event.currentTarget.value;
        if (!isDate(typed)) setLost(typed);
        // Mantine writes the last date again.
        check('');
        onBlur?.(event);
      }}
      onKeyDown={event => event.key === 'Escape' && close()}
      getDayProps={() => ({ onClick: close })}
      rightSection={
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          tabIndex={-1}
          aria-label={t('calendar')}
          // The field keeps the focus; leaving it closes the calendar.
          onMouseDown={event => event.preventDefault()}
          onClick={event => {
            event.currentTarget.closest('[data-date-field]')?.querySelector('input')?.focus();
            setOpen(!open);
          }}
        >
          <IconCalendar size={16} />
        </ActionIcon>
      }
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
        check(chosen ?? '');
        onChange?.(chosen ? chosen.slice(0, length).replace(' ', 'T') : '');
      }}
    />
  );
}
