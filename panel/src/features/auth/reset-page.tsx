import { Button, TextInput } from '@mantine/core';
import type { authApi } from '@portico/contract/auth.ts';
import { useState } from 'react';
import classes from '#features/auth/auth.module.css';
import { AuthLayout } from '#features/auth/auth-layout.tsx';
import { forgotPassword } from '#features/auth/forgot-page.tsx';
import { FormProblem } from '#features/auth/form-problem.tsx';
import { NewPassword } from '#features/auth/new-password.tsx';
import { PublicLink } from '#features/auth/public-link.tsx';
import { useAuthForm } from '#features/auth/use-auth-form.ts';
import { useAuthTexts } from '#features/auth/use-auth-texts.ts';
import { ApiError, address, call } from '#lib/client.ts';
import { goTo } from '#lib/public-navigation.ts';
import { toastError, toastSuccess } from '#lib/toast.ts';
import { PasswordField } from '#ui/password-field.tsx';

const resetPassword = address<typeof authApi.resetPassword>('POST', '/v1/user/reset-password');

/** The address from the first step, if the user comes from there. */
const knownEmail = (): string | undefined => (history.state as { email?: string } | null)?.email;

/** The second step: the code from the e-mail and the new password. */
export function ResetPage() {
  const { t } = useAuthTexts();
  const [email] = useState(knownEmail);
  const { ref, onSubmit, errors, problem, pending } = useAuthForm({
    fields: ['email', 'code', 'password', 'password_confirmation'],
    check: body =>
      body.password === body.password_confirmation ? {} : { password_confirmation: t('passwordsDiffer') },
    send: async body => {
      await call(resetPassword, { body });
      toastSuccess(t('reset.done'));
      goTo('/auth/complete', { after: 'reset' });
    },
  });
  return (
    <AuthLayout title={t('reset.title')} lead={email ? t('reset.lead', { email }) : t('reset.leadUnknown')}>
      <form ref={ref} className={classes.form} onSubmit={onSubmit} noValidate>
        <FormProblem text={problem} />
        {email ? (
          // Password managers store the new password under this name.
          <input type="email" name="email" value={email} autoComplete="username" readOnly hidden />
        ) : (
          <TextInput
            name="email"
            type="email"
            inputMode="email"
            label={t('email')}
            autoComplete="username"
            autoFocus
            error={errors.email}
          />
        )}
        <TextInput
          name="code"
          className={classes.code ?? ''}
          label={t('reset.code')}
          description={t('reset.codeHelp')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={9}
          autoFocus={email !== undefined}
          error={errors.code}
        />
        <NewPassword label={t('reset.password')} error={errors.password} />
        <PasswordField
          name="password_confirmation"
          label={t('reset.confirmation')}
          autoComplete="new-password"
          error={errors.password_confirmation}
        />
        <Button type="submit" loading={pending} fullWidth mt={4}>
          {t('reset.submit')}
        </Button>
      </form>
      <p className={classes.other}>
        {email ? <SendAgain email={email} /> : <PublicLink to="/auth/forgot-password">{t('reset.askCode')}</PublicLink>}
      </p>
      <p className={classes.other}>
        <PublicLink to="/auth/login">{t('backToLogin')}</PublicLink>
      </p>
    </AuthLayout>
  );
}

function SendAgain({ email }: { email: string }) {
  const { t } = useAuthTexts();
  const [pending, setPending] = useState(false);
  const send = async () => {
    setPending(true);
    try {
      await call(forgotPassword, { body: { email } });
      toastSuccess(t('forgot.sent'));
    } catch (error) {
      toastError(error instanceof ApiError ? error.message : t('unreachable'));
    } finally {
      setPending(false);
    }
  };
  return (
    <>
      {t('reset.notArrived')}{' '}
      <button type="button" className={classes.link} onClick={() => void send()} disabled={pending}>
        {t('reset.again')}
      </button>
    </>
  );
}
