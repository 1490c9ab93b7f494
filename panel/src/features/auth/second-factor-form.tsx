import { Button, TextInput } from '@mantine/core';
import type { PasskeyAnswer } from '@portico/contract/passkey-shapes.ts';
import { useState } from 'react';
import classes from '#features/auth/auth.module.css';
import { FormProblem } from '#features/auth/form-problem.tsx';
import { askSecondFactor, problemOf } from '#features/auth/passkey-sign-in.ts';
import type { Said } from '#features/auth/said.ts';
import { useAuthForm } from '#features/auth/use-auth-form.ts';
import { useSecondTexts } from '#features/auth/use-second-texts.ts';

type GivenFactor = { code: string } | { passkey: PasskeyAnswer };

interface Props {
  submitLabel: string;
  /** The accepted e-mail and password, with which a passkey is requested. */
  credentials: { email: string; password: string };
  /** The second factors of the account: `code` for the authenticator app, `passkey` or both. */
  factors: object;
  send: (factor: GivenFactor) => Promise<unknown>;
  onBack: () => void;
}

/** Asks for the code of the authenticator app, a recovery code or a passkey, depending on the account. */
export function SecondFactorForm({ submitLabel, credentials, factors, send, onBack }: Props) {
  const { t } = useSecondTexts();
  const [recovery, setRecovery] = useState(false);
  const hasApp = 'code' in factors;
  const hasPasskey = 'passkey' in factors;
  const asksCode = hasApp || recovery;
  const [asking, setAsking] = useState(false);
  const [refused, setRefused] = useState<Said>('');
  const { ref, onSubmit, errors, problem, pending } = useAuthForm({
    fields: ['code'],
    send: ({ code }) => {
      setRefused('');
      return send({ code: code.trim() });
    },
  });
  const usePasskey = async () => {
    setAsking(true);
    setRefused('');
    try {
      await send({ passkey: await askSecondFactor(credentials) });
    } catch (error) {
      setRefused(await problemOf(error));
    } finally {
      setAsking(false);
    }
  };
  return (
    <>
      <form ref={ref} className={classes.form} onSubmit={onSubmit} noValidate>
        <FormProblem text={refused || problem} />
        {asksCode && (
          <>
            <TextInput
              key={recovery ? 'recovery' : 'app'}
              name="code"
              className={classes.code ?? ''}
              label={t(recovery ? 'recovery' : 'code')}
              description={t(recovery ? 'recoveryHelp' : 'codeHelp')}
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
          </>
        )}
        {hasPasskey && (
          <Button
            variant={asksCode ? 'default' : 'filled'}
            loading={asking}
            fullWidth
            onClick={() => void usePasskey()}
          >
            {t('usePasskey')}
          </Button>
        )}
      </form>
      {(hasApp || !recovery) && (
        <p className={classes.other}>
          <button type="button" className={classes.link} onClick={() => setRecovery(!recovery)}>
            {t(recovery ? 'useApp' : 'useRecovery')}
          </button>
        </p>
      )}
      <p className={classes.other}>
        <button type="button" className={classes.link} onClick={onBack}>
          {t('common:back')}
        </button>
      </p>
    </>
  );
}
