import { Button, TextInput } from '@mantine/core';
import type { authApi } from '@portico/contract/auth.ts';
import classes from '#features/auth/auth.module.css';
import { AuthLayout } from '#features/auth/auth-layout.tsx';
import { FormProblem } from '#features/auth/form-problem.tsx';
import { PublicLink } from '#features/auth/public-link.tsx';
import { useAuthForm } from '#features/auth/use-auth-form.ts';
import { useAuthTexts } from '#features/auth/use-auth-texts.ts';
import { address, call } from '#lib/client.ts';
import { goTo } from '#lib/public-navigation.ts';
import { toastSuccess } from '#lib/toast.ts';

export const forgotPassword = address<typeof authApi.forgotPassword>('POST', '/v1/user/forgot-password');

/** The first of two steps: where to send the code. */
export function ForgotPage() {
  const { t } = useAuthTexts();
  const { ref, onSubmit, errors, problem, pending } = useAuthForm({
    fields: ['email'],
    send: async ({ email }) => {
      await call(forgotPassword, { body: { email } });
      toastSuccess(t('forgot.sent'));
      goTo('/auth/reset-password', { email: email.trim() });
    },
  });
  return (
    <AuthLayout title={t('forgot.title')} lead={t('forgot.lead')}>
      <form ref={ref} className={classes.form} onSubmit={onSubmit} noValidate>
        <FormProblem text={problem} />
        <TextInput
          name="email"
          type="email"
          inputMode="email"
          label={t('email')}
          autoComplete="username"
          autoFocus
          error={errors.email}
        />
        <Button type="submit" loading={pending} fullWidth mt={4}>
          {t('forgot.submit')}
        </Button>
      </form>
      <p className={classes.other}>
        <PublicLink to="/auth/login">{t('backToLogin')}</PublicLink>
      </p>
    </AuthLayout>
  );
}
