import { SegmentedControl, Slider, Switch } from '@mantine/core';
import { type LimitUnit, limitBounds } from '@portico/contract/fields.ts';
import { currencies } from '@portico/contract/units.ts';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '#ui/limit-card.module.css';
import { type Limit, useAmountText } from '#ui/limit-text.ts';
import type { FormPart } from '#ui/use-contract-form.ts';

interface Props<Unit extends LimitUnit> {
  label: string;
  units: readonly Unit[];
  value: Limit<Unit>;
  onChange: (value: Limit<Unit>) => void;
  error?: string | undefined;
  /** The text while the limit is off, by default `Unlimited`. */
  offLabel?: string;
}

/** As `getInputProps`; the message is that of the amount. */
export function limitProps(form: Pick<FormPart<Record<string, unknown>>, 'errors' | 'getInputProps'>, path: string) {
  const { value, onChange } = form.getInputProps(path);
  return { value, onChange, error: form.errors[`${path}.value`] as string | undefined };
}

/** The range of the unit's slider. A limit of 0 is refused, but a price may be 0. */
function boundsOf(unit: LimitUnit) {
  const { min, max, step } = limitBounds[unit];
  return { min: (currencies as readonly string[]).includes(unit) ? min : Math.max(min, step), max, step };
}

/** Clamps a value to the range of the unit's slider. */
function fitted(value: number, unit: LimitUnit): number {
  const { min, max, step } = boundsOf(unit);
  return Math.min(max, Math.max(min, Math.round(value / step) * step));
}

/** A limit with a switch, a slider within the unit's bounds and a choice of units. */
export function LimitCard<Unit extends LimitUnit>({ label, units, value, onChange, error, offLabel }: Props<Unit>) {
  const { t } = useTranslation('limit');
  const labelId = useId();
  const amountText = useAmountText();
  const { is_active: on, value: amount } = value;
  const option: LimitUnit = value.option;
  const shownUnits: readonly LimitUnit[] = units;
  const bounds = boundsOf(option);
  return (
    <fieldset
      className={classes.card}
      data-on={on || undefined}
      data-invalid={error ? true : undefined}
      aria-labelledby={labelId}
    >
      <div className={classes.head}>
        <Switch
          id={labelId + 'switch'}
          label={<span id={labelId}>{label}</span>}
          checked={on}
          onChange={event =>
            // A price begins with one step: 0 would be a sale for nothing.
            onChange({
              ...value,
              is_active: event.currentTarget.checked,
              value: fitted(Math.max(amount, bounds.step), option),
            })
          }
        />
        <output className={classes.value}>{on ? amountText(amount, option) : (offLabel ?? t('unlimited'))}</output>
      </div>
      {on && (
        <div className={classes.body}>
          <Slider
            className={classes.slider ?? ''}
            min={bounds.min}
            max={bounds.max}
            step={bounds.step}
            value={amount}
            onChange={next => onChange({ ...value, value: next })}
            label={null}
            thumbLabel={label}
            thumbProps={{ 'aria-valuetext': amountText(amount, option) }}
          />
          <SegmentedControl
            size="xs"
            aria-label={t('unit')}
            data={shownUnits.map(unit => ({ value: unit, label: t(unit) }))}
            value={option}
            onChange={unit => onChange({ ...value, option: unit as Unit, value: fitted(amount, unit as Unit) })}
          />
        </div>
      )}
      {error && <p className={classes.error}>{error}</p>}
    </fieldset>
  );
}
