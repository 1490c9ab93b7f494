import { Button, TextInput } from '@mantine/core';
import type { authApi, signedIn } from '@portico/contract/auth.ts';
import { lazy, useState } from 'react';
import type { z } from 'zod';
import classes from '#features/auth/auth.module.css';
import { AuthLayout } from '#features/auth/auth-layout.tsx';
import { FormProblem } from '#features/auth/form-problem.tsx';
import { PublicLink } from '#features/auth/public-link.tsx';
import type { Said } from '#features/auth/said.ts';
import { useAuthForm } from '#features/auth/use-auth-form.ts';
import { useAuthTexts } from '#features/auth/use-auth-texts.ts';
import { address, call } from '#lib/client.ts';
import { signIn, wasSignedOut } from '#lib/session.ts';
import { tenant } from '#lib/tenant.ts';
import { PasswordField } from '#ui/password-field.tsx';

const SecondStep = lazy(() => import('#features/auth/second-step.tsx').then(it => ({ default: it.SecondStep })));

const login = address<typeof authApi.login>('POST', '/v1/user/login');

type SignedIn = z.output<typeof signedIn>;

interface Accepted {
  credentials: { email: string; password: string };
  /** By the fields that the sign-in lacks: `code`, `passkey` or both. */
  factors: object;
}

export function LoginPage({ onSignedIn }: { onSignedIn: (home: string) => void }) {
  const { t } = useAuthTexts();
  /** The password was accepted, but the account also requires a second factor. */
  const [accepted, setAccepted] = useState<Accepted>();

  const enter = (data: SignedIn) => {
    signIn(data);
    // Users with customers start at the list of customers (document 1, section 2.3).
    onSignedIn(data.user.can_create_location ? '/admin' : '/');
  };
  if (accepted) return <SecondStep {...accepted} enter={enter} onBack={() => setAccepted(undefined)} />;
  return (
    <AuthLayout title={t('login.title')} lead={t('login.lead', { name: tenant().brand.name })}>
      {wasSignedOut() && <p className={classes.note}>{t('login.ended')}</p>}
      <PasswordStep enter={enter} onAccepted={setAccepted} />
    </AuthLayout>
  );
}

interface StepProps {
  enter: (data: SignedIn) => void;
  onAccepted: (accepted: Accepted) => void;
}

function PasswordStep({ enter, onAccepted }: StepProps) {
  const { t } = useAuthTexts();
  const [refused, setRefused] = useState<Said>('');
  // Of a person who has just joined.
  const known: string | undefined = history.state?.email;
  const { ref, onSubmit, errors, problem, pending } = useAuthForm({
    fields: ['email', 'password'],
    check: ({ email }) => (/^[^\s@]+@[^\s@]+$/.test(email.trim()) ? {} : { email: t('invalidEmail') }),
    send: ({ email, password }) => {
      const body = { email: email.trim(), password };
      return call(login, { body }).then(
        ({ data }) => enter(data),
        error => {
          if (error.code !== 'two_factor_required') throw error;
          onAccepted({ credentials: body, factors: error.errors });
        },
      );
    },
  });
  return (
    <>
      <form ref={ref} className={classes.form} onSubmit={onSubmit} noValidate>
        <FormProblem text={problem || refused} />
        <TextInput
          name="email"
          type="email"
          label={t('email')}
          autoComplete="username"
          defaultValue={known}
          autoFocus={!known}
          error={errors.email}
        />
        <PasswordField
          name="password"
          label={t('password')}
          autoComplete="current-password"
          autoFocus={!!known}
          error={errors.password}
        />
        <p className={classes.forgot}>
          <PublicLink to="/auth/forgot-password">{t('login.forgot')}</PublicLink>
        </p>
        <Button type="submit" loading={pending} fullWidth>
          {t('login.submit')}
        </Button>
        <Button
          variant="default"
          fullWidth
          onClick={() =>
            import('#features/auth/passkey-sign-in.ts').then(
              it => it.signInWithPasskey(enter, setRefused),
              () => setRefused(t('unreachable')),
            )
          }
        >
          {t('login.passkey')}
        </Button>
        {tenant().sso && (
          <Button
            variant="default"
            fullWidth
            onClick={() =>
              import('#features/auth/sso.ts').then(
                it => it.leaveForProvider(setRefused, t('unreachable')),
                () => setRefused(t('unreachable')),
              )
            }
          >
            {t('login.sso', { name: tenant().sso })}
          </Button>
        )}
      </form>
      {tenant().registration === 'open' && (
        <p className={classes.other}>
          {t('login.noAccount')} <PublicLink to="/auth/register">{t('login.register')}</PublicLink>
        </p>
      )}
    </>
  );
}
