import { Button, Checkbox, Radio, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Filter } from '#ui/filter.ts';
import classes from '#ui/filter-bar.module.css';

interface Props {
  filter: Filter;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  onDone: () => void;
}

/** The content of a filter's popover. */
export function FilterEditor({ filter, value, onChange, onDone }: Props) {
  if (filter.kind === 'custom')
    return filter.editor(value, chosen => {
      onChange(chosen);
      onDone();
    });
  if (filter.kind === 'text') return <TextEditor filter={filter} value={value} onChange={onChange} onDone={onDone} />;
  if (filter.single)
    return (
      <Radio.Group aria-label={filter.label} value={value ?? ''} onChange={onChange}>
        <div className={classes.options}>
          {filter.options.map(option => (
            <Radio key={option.value} size="xs" value={option.value} label={option.label} />
          ))}
        </div>
      </Radio.Group>
    );
  const chosen = value?.split(',') ?? [];
  const toggle = (option: string) => {
    const next = chosen.includes(option) ? chosen.filter(each => each !== option) : [...chosen, option];
    onChange(next.join(',') || undefined);
  };
  return (
    <fieldset className={classes.options}>
      <legend className="quietly">{filter.label}</legend>
      {filter.options.map(option => (
        <Checkbox
          key={option.value}
          size="xs"
          label={option.label}
          checked={chosen.includes(option.value)}
          onChange={() => toggle(option.value)}
        />
      ))}
    </fieldset>
  );
}

function TextEditor({ filter, value, onChange, onDone }: Props & { filter: Extract<Filter, { kind: 'text' }> }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(value ?? '');
  const format = filter.format ?? (text => text);
  return (
    <form
      className={classes.editor}
      onSubmit={event => {
        event.preventDefault();
        onChange(typed.trim() || undefined);
        onDone();
      }}
    >
      <TextInput
        aria-label={filter.label}
        placeholder={filter.placeholder}
        value={typed}
        onChange={event => setTyped(format(event.currentTarget.value))}
        autoComplete="off"
        data-autofocus
      />
      <Button type="submit">{t('list.filter')}</Button>
    </form>
  );
}
