import { IconAlertCircle } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import classes from '#features/auth/auth.module.css';
import type { ApiError } from '#lib/client.ts';

/** A problem in words. With `seconds` the words name them, and are over after them. */
export type Said = string | { readonly text: string; readonly seconds: number };

export const saidBy = ({ message, retryAfter }: ApiError): Said =>
  retryAfter !== undefined && message.includes(String(retryAfter)) ? { text: message, seconds: retryAfter } : message;

/** An error of the whole form. The element is always present, so that screen readers announce changes. */
export function FormProblem({ text }: { text: Said | undefined }) {
  return (
    <div role="alert" aria-relevant="additions" hidden={!text}>
      {typeof text === 'object' ? <Wait {...text} /> : text && <Words>{text}</Words>}
    </div>
  );
}

const Words = ({ children }: { children: string }) => (
  <div className={classes.problem}>
    <IconAlertCircle size={18} aria-hidden />
    {children}
  </div>
);

/** Counts the seconds down, then disappears: from then on the form can be sent again. Only additions are read out, not each second. */
function Wait({ text, seconds }: { text: string; seconds: number }) {
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    const end = Date.now() + seconds * 1000;
    const show = () => setLeft(Math.max(0, Math.ceil((end - Date.now()) / 1000)));
    show();
    const timer = setInterval(show, 250);
    return () => clearInterval(timer);
  }, [seconds]);
  return left > 0 && <Words>{text.replace(String(seconds), String(left))}</Words>;
}
