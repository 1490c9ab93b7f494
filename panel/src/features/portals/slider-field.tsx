import { Slider } from '@mantine/core';
import classes from '#features/portals/fields.module.css';

interface Props {
  label: string;
  bounds: { readonly min: number; readonly max: number; readonly step: number };
  unit: string;
  value?: number;
  onChange?: (value: number) => void;
  disabled?: boolean;
}

export function SliderField({ label, bounds, unit, value = bounds.min, onChange, disabled }: Props) {
  return (
    <div>
      <div className={classes.sliderHead}>
        <span className={classes.label}>{label}</span>
        <output>
          {value} {unit}
        </output>
      </div>
      <Slider
        {...bounds}
        value={value}
        onChange={next => onChange?.(next)}
        label={null}
        thumbLabel={label}
        thumbProps={{ 'aria-valuetext': `${value} ${unit}` }}
        disabled={disabled ?? false}
      />
    </div>
  );
}
