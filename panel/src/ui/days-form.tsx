import { Button } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DateField } from '#ui/date-field.tsx';
import classes from '#ui/days-form.module.css';

interface Props {
  /** The initial days; empty if there are none. */
  first: string;
  last: string;
  /** `2026-11-01_2026-11-20`, as in the address. */
  onChange: (days: string) => void;
}

/** The first and the last day of a period. */
export function DaysForm({ first, last, onChange }: Props) {
  const { t } = useTranslation('date-fields');
  const [from, setFrom] = useState(first);
  const [to, setTo] = useState(last);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (from && to) onChange([from, to].sort().join('_'));
  };
  const day = { type: 'date', required: true, withAsterisk: false, inPopover: true } as const;
  return (
    <form className={classes.days} onSubmit={submit}>
      <DateField {...day} label={t('from')} value={from} onChange={setFrom} />
      <DateField {...day} label={t('to')} value={to} onChange={setTo} />
      <Button type="submit" variant="default">
        {t('show')}
      </Button>
    </form>
  );
}
