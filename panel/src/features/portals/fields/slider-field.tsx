import { Slider } from '@mantine/core';
import { useEditor } from '#features/portals/editor/editor-context.ts';
import classes from '#features/portals/fields/fields.module.css';

interface Props {
  label: string;
  bounds: { readonly min: number; readonly max: number; readonly step: number };
  unit: string;
  value?: number;
  onChange?: (value: number) => void;
}

export function SliderField({ label, bounds, unit, value = bounds.min, onChange }: Props) {
  const { readOnly } = useEditor();
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
        disabled={readOnly}
      />
    </div>
  );
}
