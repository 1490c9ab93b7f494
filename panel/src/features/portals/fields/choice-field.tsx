import { SegmentedControl } from '@mantine/core';
import { useId } from 'react';
import classes from '#features/portals/fields/fields.module.css';

interface Props<Value extends string> {
  label: string;
  options: readonly { value: Value; label: string }[];
  value?: Value;
  onChange?: (value: Value) => void;
  description?: string;
  disabled?: boolean;
}

export function ChoiceField<Value extends string>({
  label,
  options,
  value,
  onChange,
  description,
  disabled,
}: Props<Value>) {
  const id = useId();
  return (
    <div>
      <span id={id} className={classes.label}>
        {label}
      </span>
      <div>
        <SegmentedControl
          aria-labelledby={id}
          data={[...options]}
          {...(value !== undefined && { value })}
          onChange={next => onChange?.(next as Value)}
          disabled={disabled ?? false}
          className={classes.choice ?? ''}
        />
      </div>
      {description && <p className={classes.help}>{description}</p>}
    </div>
  );
}
