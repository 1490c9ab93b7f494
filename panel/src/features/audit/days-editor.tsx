import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '#features/audit/audit.module.css';

interface Props {
  /** `2026-11-01_2026-11-20`. */
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** The first and the last day. */
export function DaysEditor({ value, onChange }: Props) {
  const { t } = useTranslation('audit');
  const [from, setFrom] = useState(value?.split('_')[0] ?? '');
  const [to, setTo] = useState(value?.split('_')[1] ?? '');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (from && to) onChange([from, to].sort().join('_'));
  };
  return (
    <form className={classes.days} onSubmit={submit}>
      <TextInput
        type="date"
        label={t('from')}
        value={from}
        onChange={event => setFrom(event.currentTarget.value)}
        required
        withAsterisk={false}
      />
      <TextInput
        type="date"
        label={t('to')}
        value={to}
        onChange={event => setTo(event.currentTarget.value)}
        required
        withAsterisk={false}
      />
      <Button type="submit">{t('show')}</Button>
    </form>
  );
}
