import type { SignInView } from '@portico/contract/guests.ts';
import { WarningIcon } from './icons.tsx';
import { problemText } from './problem-text.ts';

/** Why the guest is not online. */
export function Notice({ view }: { view: Pick<SignInView, 'language' | 'problem' | 'problemValues'> }) {
  if (!view.problem) return null;
  const [title, advice] = problemText(view.language, view.problem, view.problemValues);
  return (
    <div className="notice" role="alert" id="problem">
      <WarningIcon />
      <span>
        <b>{title}</b>
        <span>{advice}</span>
      </span>
    </div>
  );
}
