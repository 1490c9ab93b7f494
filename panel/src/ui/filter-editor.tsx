import { Button, Checkbox, Radio, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Filter } from '#ui/filter.ts';
import classes from '#ui/filter-bar.module.css';
import { typedAs } from '#ui/typed-as.ts';

interface Props {
  filter: Filter;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  onDone: () => void;
}

/** The content of a filter's popover. */
export function FilterEditor({ filter, value, onChange, onDone }: Props) {
  const { t } = useTranslation();
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
  const { options, startsFull = false } = filter;
  const all = options.map(option => option.value);
  const chosen = value?.split(',') ?? (startsFull ? all : []);
  const toggle = (option: string) => {
    const next = all.filter(each => chosen.includes(each) !== (each === option));
    onChange((startsFull && next.length === all.length ? '' : next.join(',')) || undefined);
  };
  return (
    <fieldset className={classes.options}>
      <legend className="visually-hidden">{filter.label}</legend>
      {options.map(option => (
        <div key={option.value} className={classes.option}>
          <Checkbox
            size="xs"
            label={option.label}
            checked={chosen.includes(option.value)}
            // The last one stays: nothing ticked would be an empty list.
            disabled={startsFull && chosen.length === 1 && chosen[0] === option.value}
            onChange={() => toggle(option.value)}
          />
          {startsFull && (
            <button
              type="button"
              className={classes.only}
              aria-label={t('list.onlyThis', { name: option.label })}
              onClick={() => onChange(option.value)}
            >
              {t('list.only')}
            </button>
          )}
        </div>
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
        onChange={event => setTyped(typedAs(format, event.currentTarget))}
        autoComplete="off"
        data-autofocus
      />
      <Button type="submit">{t('list.filter')}</Button>
    </form>
  );
}
