import { IconAlertCircle } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import classes from '#features/auth/auth.module.css';
import { countDown, type Said, type SaidForSeconds } from '#features/auth/said.ts';

/** An error of the whole form. The element is always present, so that screen readers announce changes. */
export function FormProblem({ text }: { text: Said | undefined }) {
  return (
    <div role="alert" aria-relevant="additions" hidden={!text}>
      {typeof text === 'object' ? <Wait said={text} /> : text && <Words>{text}</Words>}
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
function Wait({ said }: { said: SaidForSeconds }) {
  const [text, setText] = useState(said.text);
  // By the object: a second refusal may name the same seconds.
  useEffect(() => countDown(said, setText), [said]);
  return text && <Words>{text}</Words>;
}
