import { IconAlertCircle } from '@tabler/icons-react';
import classes from '#features/auth/auth.module.css';

/** What is wrong with the form as a whole. Its place is always there: what enters it is announced. */
export function FormProblem({ text }: { text: string | undefined }) {
  return (
    <div role="alert" hidden={!text}>
      {text && (
        <div className={classes.problem}>
          <IconAlertCircle size={18} aria-hidden />
          {text}
        </div>
      )}
    </div>
  );
}
