import { Button, TextInput } from '@mantine/core';
import type { authApi } from '@portico/contract/auth.ts';
import { lazy, useState } from 'react';
import classes from '#features/auth/auth.module.css';
import { AuthLayout } from '#features/auth/auth-layout.tsx';
import { FormProblem } from '#features/auth/form-problem.tsx';
import { PublicLink } from '#features/auth/public-link.tsx';
import { useAuthForm } from '#features/auth/use-auth-form.ts';
import { useAuthTexts } from '#features/auth/use-auth-texts.ts';
import { address, call } from '#lib/client.ts';
import { storeToken, wasSignedOut } from '#lib/session.ts';
import { tenant } from '#lib/tenant.ts';
import { PasswordField } from '#ui/password-field.tsx';

const SecondFactorForm = lazy(async () => ({
  default: (await import('#features/auth/second-factor-form.tsx')).SecondFactorForm,
}));

const login = address<typeof authApi.login>('POST', '/v1/user/login');

interface Credentials {
  email: string;
  password: string;
}

export function LoginPage({ onSignedIn }: { onSignedIn: (home: string) => void }) {
  const { t } = useAuthTexts();
  /** The password was accepted, but the account also requires a second factor. */
  const [accepted, setAccepted] = useState<Credentials>();

  const signIn = async (body: Credentials & { code?: string }) => {
    const { data } = await call(login, { body });
    storeToken(data.token);
    // Users with customers start at the list of customers (document 1, section 2.3).
    onSignedIn(data.user.can_create_location ? '/admin' : '/');
  };
  if (accepted)
    return (
      <AuthLayout title={t('second.title')} lead={t('second.lead')}>
        <SecondFactorForm
          submitLabel={t('login.submit')}
          send={code => signIn({ ...accepted, code })}
          onBack={() => setAccepted(undefined)}
        />
      </AuthLayout>
    );
  return (
    <AuthLayout title={t('login.title')} lead={t('login.lead', { name: tenant().brand.name })}>
      {wasSignedOut() && <p className={classes.note}>{t('login.ended')}</p>}
      <PasswordStep signIn={signIn} onAccepted={setAccepted} />
    </AuthLayout>
  );
}

interface StepProps {
  signIn: (body: Credentials) => Promise<void>;
  onAccepted: (credentials: Credentials) => void;
}

function PasswordStep({ signIn, onAccepted }: StepProps) {
  const { t } = useAuthTexts();
  const { ref, onSubmit, errors, problem, pending } = useAuthForm({
    fields: ['email', 'password'],
    check: ({ email }) => (/^[^\s@]+@[^\s@]+$/.test(email.trim()) ? {} : { email: t('invalidEmail') }),
    send: ({ email, password }) => {
      const credentials = { email: email.trim(), password };
      return signIn(credentials).catch(error => {
        if (error.code !== 'two_factor_required') throw error;
        onAccepted(credentials);
      });
    },
  });
  return (
    <>
      <form ref={ref} className={classes.form} onSubmit={onSubmit} noValidate>
        <FormProblem text={problem} />
        <TextInput
          name="email"
          type="email"
          label={t('email')}
          autoComplete="username"
          autoFocus
          error={errors.email}
          inputMode="email"
        />
        <PasswordField name="password" label={t('password')} autoComplete="current-password" error={errors.password} />
        <p className={classes.forgot}>
          <PublicLink to="/auth/forgot-password">{t('login.forgot')}</PublicLink>
        </p>
        <Button type="submit" loading={pending} fullWidth>
          {t('login.submit')}
        </Button>
      </form>
      {tenant().registration === 'open' && (
        <p className={classes.other}>
          {t('login.noAccount')} <PublicLink to="/auth/register">{t('login.register')}</PublicLink>
        </p>
      )}
    </>
  );
}
