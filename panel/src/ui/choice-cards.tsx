import type { ReactNode } from 'react';
import classes from '#ui/choice-cards.module.css';

interface Props {
  legend: string;
  /** The name of the radio group. */
  name: string;
  choices: readonly { value: string; body: ReactNode }[];
  value: string | undefined;
  onChange: (value: string) => void;
  /** Focuses the first card when the dialog opens. */
  first?: boolean;
  /** Aligns the text to the start; on phones the cards are stacked. */
  wordy?: boolean;
}

/** A choice between a few options, each on a card. */
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
