import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { acceptInvitation } from '#features/auth/accept-invitation.ts';
import classes from '#features/auth/auth.module.css';
import { FormProblem } from '#features/auth/form-problem.tsx';
import { PublicLink } from '#features/auth/public-link.tsx';
import { SecondFactorForm } from '#features/auth/second-factor-form.tsx';
import { useAuthForm } from '#features/auth/use-auth-form.ts';
import { useAuthTexts } from '#features/auth/use-auth-texts.ts';
import { PasswordField } from '#ui/password-field.tsx';

/** For an invited person with an account: signing in accepts the invitation. */
export function InvitationSignIn({ token, email }: { token: string; email: string }) {
  const { t } = useAuthTexts();
  const [accepted, setAccepted] = useState<{ password: string; factors: object }>();
  const { ref, onSubmit, errors, problem, pending } = useAuthForm({
    fields: ['password'],
    send: body =>
      acceptInvitation(token, { password: body.password }).catch(error => {
        if (error.code !== 'two_factor_required') throw error;
        setAccepted({ password: body.password, factors: error.errors });
      }),
  });
  if (accepted) {
    const { password, factors } = accepted;
    return (
      <SecondFactorForm
        submitLabel={t('invitation.signInAndJoin')}
        credentials={{ email, password }}
        factors={factors}
        send={factor => acceptInvitation(token, { password, ...factor })}
        onBack={() => setAccepted(undefined)}
      />
    );
  }
  return (
    <form ref={ref} className={classes.form} onSubmit={onSubmit} noValidate>
      <FormProblem text={problem} />
      <TextInput
        type="email"
        label={t('email')}
        description={t('invitation.hasAccount')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        className={classes.fixed ?? ''}
        autoComplete="username"
        value={email}
        readOnly
      />
      <PasswordField
        name="password"
        label={t('password')}
        autoComplete="current-password"
        autoFocus
        error={errors.password}
      />
      <p className={classes.forgot}>
        <PublicLink to="/auth/forgot-password">{t('login.forgot')}</PublicLink>
      </p>
      <Button type="submit" loading={pending} fullWidth>
        {t('invitation.signInAndJoin')}
      </Button>
    </form>
  );
}
