import { useTranslation } from 'react-i18next';
import { type PeriodName, periodNames, readPeriod, standardPeriod } from '#features/sessions/period.ts';
import classes from '#features/sessions/sessions.module.css';
import { useLocalNow } from '#lib/local-now.ts';
import { DaysEditor } from '#ui/days-editor.ts';

interface Props {
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  /** The shortcut that stands for no value; null if there is none. */
  standard?: PeriodName | null;
}

/** Shortcuts, and two date fields for a custom period. */
export function PeriodEditor({ value, onChange, standard = standardPeriod }: Props) {
  const { t } = useTranslation('sessions');
  const period = readPeriod(value, standard ?? standardPeriod, useLocalNow()());
  const isSet = value !== undefined || standard !== null;
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
      <DaysEditor first={period.days[0]} last={period.days[1]} onChange={onChange} />
    </>
  );
}
