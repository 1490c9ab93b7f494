import classes from '#ui/steps.module.css';

interface Props {
  /** The goal of the steps, for screen readers. */
  label: string;
  steps: readonly string[];
  /** The current step, from 0. */
  at: number;
  /** Which steps are done; without it, all before the current one. */
  done?: readonly boolean[];
}

/** The progress through the steps of a dialog. */
export function Steps({ label, steps, at, done = steps.map((_, i) => i < at) }: Props) {
  return (
    <ol className={classes.steps} aria-label={label}>
      {steps.map((step, i) => (
        <li key={step} data-done={(i < at && done[i]) || undefined} aria-current={i === at ? 'step' : undefined}>
          <span aria-hidden="true">{i < at && done[i] ? '✓' : i + 1}</span>
          <b>{step}</b>
        </li>
      ))}
    </ol>
  );
}
