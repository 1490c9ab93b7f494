import { Button, TextInput } from '@mantine/core';
import type { authApi } from '@portico/contract/auth.ts';
import { IconAlertCircle } from '@tabler/icons-react';
import { type FormEvent, useRef, useState } from 'react';
import classes from '#features/auth/auth.module.css';
import { AuthLayout } from '#features/auth/auth-layout.tsx';
import { PublicLink } from '#features/auth/public-link.tsx';
import { useAuthTexts } from '#features/auth/use-auth-texts.ts';
import { ApiError, address, call } from '#lib/client.ts';
import { goTo } from '#lib/public-navigation.ts';
import { tenant } from '#lib/tenant.ts';
import { PasswordField } from '#ui/password-field.tsx';
import { PasswordStrength } from '#ui/password-strength.tsx';

const register = address<typeof authApi.register>('POST', '/v1/user/register');
const fields = ['first_name', 'last_name', 'location_name', 'email', 'phone_number', 'password'] as const;
type Field = (typeof fields)[number];

export function RegisterPage() {
  const { t } = useAuthTexts();
  const [errors, setErrors] = useState<Partial<Record<Field, string>>>({});
  const [problem, setProblem] = useState('');
  const [pending, setPending] = useState(false);
  const [password, setPassword] = useState('');
  const form = useRef<HTMLFormElement>(null);

  const refuse = (found: Partial<Record<Field, string>>, message = '') => {
    setErrors(found);
    setProblem(message);
    setPending(false);
    const first = fields.find(field => found[field]);
    if (first) form.current?.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus();
  };

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const body = Object.fromEntries(fields.map(field => [field, String(typed.get(field) ?? '')])) as Record<
      Field,
      string
    >;
    const empty = fields.filter(field => !body[field].trim());
    if (empty.length > 0) return refuse(Object.fromEntries(empty.map(field => [field, t('required')])));
    setPending(true);
    try {
      await call(register, { body });
      goTo('/auth/complete');
    } catch (error) {
      if (!(error instanceof ApiError)) return refuse({}, t('unreachable'));
      const found = Object.fromEntries(
        fields.flatMap(field => (error.errors[field]?.[0] ? [[field, error.errors[field][0]]] : [])),
      );
      refuse(found, Object.keys(found).length > 0 ? '' : error.message);
    }
  };

  return (
    <AuthLayout title={t('register.title')} lead={t('register.lead', { name: tenant().brand.name })}>
      <form ref={form} className={classes.form} onSubmit={submit} noValidate>
        <div role="alert" hidden={!problem}>
          {problem && (
            <div className={classes.problem}>
              <IconAlertCircle size={18} aria-hidden />
              {problem}
            </div>
          )}
        </div>
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
        <div>
          <PasswordField
            name="password"
            label={t('password')}
            autoComplete="new-password"
            error={errors.password}
            value={password}
            onChange={event => setPassword(event.currentTarget.value)}
            visibilityToggleButtonProps={{ 'aria-label': t('showPassword'), tabIndex: 0 }}
          />
          <PasswordStrength password={password} atLeast={tenant().password_min} />
        </div>
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
