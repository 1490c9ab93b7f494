import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import classes from '#features/auth/auth.module.css';
import { FormProblem } from '#features/auth/form-problem.tsx';
import { useAuthForm } from '#features/auth/use-auth-form.ts';
import { useAuthTexts } from '#features/auth/use-auth-texts.ts';

interface Props {
  submitLabel: string;
  send: (code: string) => Promise<unknown>;
  onBack: () => void;
}

/** The code from the authenticator app, or a recovery code. */
export function SecondFactorForm({ submitLabel, send, onBack }: Props) {
  const { t } = useAuthTexts();
  const [recovery, setRecovery] = useState(false);
  const { ref, onSubmit, errors, problem, pending } = useAuthForm({
    fields: ['code'],
    send: ({ code }) => send(code.trim()),
  });
  return (
    <>
      <form ref={ref} className={classes.form} onSubmit={onSubmit} noValidate>
        <FormProblem text={problem} />
        <TextInput
          key={recovery ? 'recovery' : 'app'}
          name="code"
          className={classes.code ?? ''}
          label={t(recovery ? 'second.recovery' : 'second.code')}
          description={t(recovery ? 'second.recoveryHelp' : 'second.codeHelp')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          inputMode={recovery ? 'text' : 'numeric'}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={recovery ? 32 : 7}
          autoFocus
          error={errors.code}
        />
        <Button type="submit" loading={pending} fullWidth mt={4}>
          {submitLabel}
        </Button>
      </form>
      <p className={classes.other}>
        <button type="button" className={classes.link} onClick={() => setRecovery(!recovery)}>
          {t(recovery ? 'second.useApp' : 'second.useRecovery')}
        </button>
      </p>
      <p className={classes.other}>
        <button type="button" className={classes.link} onClick={onBack}>
          {t('common:back')}
        </button>
      </p>
    </>
  );
}
