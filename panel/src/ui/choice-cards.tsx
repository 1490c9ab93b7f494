import type { ReactNode } from 'react';
import classes from '#ui/choice-cards.module.css';

interface Props {
  legend: string;
  /** Of the radio buttons: those of one name exclude each other, in several sets too. */
  name: string;
  choices: readonly { value: string; body: ReactNode }[];
  value: string | undefined;
  onChange: (value: string) => void;
  /** The first is focused when the dialog opens that they stand in. */
  first?: boolean;
  /** Words stand at the start instead of in the middle, below one another on phones. */
  wordy?: boolean;
}

/** One of a few, each on a card. */
export function ChoiceCards({ legend, name, choices, value, onChange, first = false, wordy = false }: Props) {
  return (
    <fieldset className={classes.cards} data-wordy={wordy || undefined}>
      <legend className="mantine-InputWrapper-label">{legend}</legend>
      {choices.map((choice, i) => (
        <label key={choice.value}>
          <input
            type="radio"
            name={name}
            value={choice.value}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
            data-autofocus={(first && i === 0) || undefined}
          />
          {choice.body}
        </label>
      ))}
    </fieldset>
  );
}
