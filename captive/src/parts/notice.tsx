import type { SignInView } from '@portico/contract/guests.ts';
import type { PortalLanguage } from '@portico/contract/portal-languages.ts';
import { textsIn } from '../texts/texts.ts';
import { WarningIcon } from './icons.tsx';
import { problemText } from './problem-text.ts';

/** Why the guest is not online. */
export function Notice({ view }: { view: Pick<SignInView, 'language' | 'problem' | 'problemValues'> }) {
  if (!view.problem) return null;
  const [title, advice] = problemText(view.language, view.problem, view.problemValues);
  return (
    <div className="notice" role="alert" id="problem" data-wait={view.problemValues['seconds']}>
      <Warning title={title} advice={advice} />
    </div>
  );
}

/** For a guest who comes back from a router that did not answer. */
export function Unanswered({ view: { language, retry } }: { view: Pick<SignInView, 'language' | 'retry'> }) {
  if (!retry) return null;
  const texts = textsIn(language);
  const [title, advice] = texts.noAnswer;
  return (
    <>
      <div className="notice" role="alert">
        <Warning title={title} advice={advice} />
      </div>
      <a className="button quiet" href={retry}>
        {texts.retry}
      </a>
    </>
  );
}

/** The page's script shows it when nothing answers a form, instead of the browser's own page about that. */
export function NoAnswer({ language }: { language: PortalLanguage }) {
  const [title, advice] = textsIn(language).noAnswer;
  return (
    <div className="notice" data-no-answer="" hidden>
      <Warning title={title} advice={advice} />
    </div>
  );
}

const Warning = ({ title, advice }: { title: string; advice: string }) => (
  <>
    <WarningIcon />
    <span>
      <b>{title}</b>
      <span>{advice}</span>
    </span>
  </>
);
