import type { SignInView } from '@portico/contract/guests.ts';
import type { PortalLanguage } from '@portico/contract/portal-languages.ts';
import type { ReactNode } from 'react';
import { textsIn } from '../texts/texts.ts';
import { InfoIcon, WarningIcon } from './icons.tsx';
import { problemText } from './problem-text.ts';

/** Why the guest is not online. */
export function Notice({ view }: { view: Pick<SignInView, 'language' | 'problem' | 'problemValues'> }) {
  if (!view.problem) return null;
  const [title, advice] = problemText(view.language, view.problem, view.problemValues);
  // A code that is on its way is no failure.
  const isGood = view.problem === 'sms_pause';
  return (
    <div
      className={isGood ? 'notice info' : 'notice'}
      role="alert"
      id="problem"
      data-wait={view.problemValues['seconds']}
    >
      <Message icon={isGood ? <InfoIcon /> : <WarningIcon />} title={title} advice={advice} />
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
        <Message title={title} advice={advice} />
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
      <Message title={title} advice={advice} />
    </div>
  );
}

interface MessageProps {
  readonly icon?: ReactNode;
  readonly title: string;
  readonly advice: string;
}

const Message = ({ icon = <WarningIcon />, title, advice }: MessageProps) => (
  <>
    {icon}
    <span>
      <b>{title}</b>
      <span>{advice}</span>
    </span>
  </>
);
