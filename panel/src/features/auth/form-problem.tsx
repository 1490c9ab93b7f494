import { IconAlertCircle } from '@tabler/icons-react';
import classes from '#features/auth/auth.module.css';

/** An error of the whole form. The element is always present, so that screen readers announce changes. */
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
