import type { ReactNode } from 'react';
import classes from '#features/devices/setup/setup.module.css';
import { CopyButton } from '#ui/copy-button.tsx';

interface Props {
  text: string;
  label: string;
  help: string;
  children?: ReactNode;
}

/** Copyable lines for the router. */
export function Lines({ text, label, help, children }: Props) {
  return (
    <div role="region" aria-label={label}>
      <div className={classes.scriptHead}>
        <span>{help}</span>
        <span className={classes.buttons}>
          <CopyButton value={text} label={label} />
          {children}
        </span>
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard must reach it. */}
      <pre className={classes.script} tabIndex={0}>
        {text}
      </pre>
    </div>
  );
}
