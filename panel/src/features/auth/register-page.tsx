import { Button, TextInput } from '@mantine/core';
import type { authApi } from '@portico/contract/auth.ts';
import classes from '#features/auth/auth.module.css';
import { AuthLayout } from '#features/auth/auth-layout.tsx';
import { FormProblem } from '#features/auth/form-problem.tsx';
import { NewPassword } from '#features/auth/new-password.tsx';
import { PublicLink } from '#features/auth/public-link.tsx';
import { useAuthForm } from '#features/auth/use-auth-form.ts';
import { useAuthTexts } from '#features/auth/use-auth-texts.ts';
import { address, call } from '#lib/client.ts';
import { goTo } from '#lib/public-navigation.ts';
import { tenant } from '#lib/tenant.ts';

const register = address<typeof authApi.register>('POST', '/v1/user/register');
const fields = ['first_name', 'last_name', 'location_name', 'email', 'phone_number', 'password'] as const;

export function RegisterPage() {
  const { t } = useAuthTexts();
  const { ref, onSubmit, errors, problem, pending } = useAuthForm({
    fields,
    send: async body => {
      await call(register, { body });
      goTo('/auth/complete');
    },
  });
  if (tenant().registration !== 'open')
    return (
      <AuthLayout title={t('register.closed')} lead={t('register.closedLead', { name: tenant().brand.name })}>
        <Button fullWidth variant="default" onClick={() => goTo('/auth/login')}>
          {t('backToLogin')}
        </Button>
      </AuthLayout>
    );
  return (
    <AuthLayout title={t('register.title')} lead={t('register.lead', { name: tenant().brand.name })}>
      <form ref={ref} className={classes.form} onSubmit={onSubmit} noValidate>
        <FormProblem text={problem} />
        <div className={classes.pair}>
          <TextInput
            name="first_name"
            label={t('firstName')}
            autoComplete="given-name"
            error={errors.first_name}
            autoFocus
          />
          <TextInput name="last_name" label={t('lastName')} autoComplete="family-name" error={errors.last_name} />
        </div>
        <TextInput
          name="location_name"
          label={t('locationName')}
          description={t('locationHelp')}
          autoComplete="organization"
          error={errors.location_name}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
        />
        <TextInput name="email" type="email" label={t('email')} autoComplete="email" error={errors.email} />
        <TextInput name="phone_number" type="tel" label={t('phone')} autoComplete="tel" error={errors.phone_number} />
        <NewPassword label={t('password')} error={errors.password} />
        <Button type="submit" loading={pending} fullWidth mt={4}>
          {t('register.submit')}
        </Button>
      </form>
      <p className={classes.other}>
        {t('register.haveAccount')} <PublicLink to="/auth/login">{t('register.login')}</PublicLink>
      </p>
    </AuthLayout>
  );
}
