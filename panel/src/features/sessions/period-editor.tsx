import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type PeriodName, periodNames, readPeriod, standardPeriod } from '#features/sessions/period.ts';
import classes from '#features/sessions/sessions.module.css';

interface Props {
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  /** What stands for no value; null: nothing that has a name. */
  standard?: PeriodName | null;
}

/** Shortcuts and, below them, two days of one's own. */
export function PeriodEditor({ value, onChange, standard = standardPeriod }: Props) {
  const { t } = useTranslation('sessions');
  const period = readPeriod(value, standard ?? standardPeriod);
  const isSet = value !== undefined || standard !== null;
  const [from, setFrom] = useState(period.days[0]);
  const [to, setTo] = useState(period.days[1]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (from && to) onChange([from, to].sort().join('_'));
  };
  return (
    <>
      <div className={classes.presets}>
        {periodNames.map(name => (
          <button
            key={name}
            type="button"
            aria-pressed={isSet && period.name === name}
            onClick={() => onChange(name === standard ? undefined : name)}
          >
            {t(`period.${name}`)}
          </button>
        ))}
      </div>
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
        <Button type="submit" variant="default">
          {t('show')}
        </Button>
      </form>
    </>
  );
}
