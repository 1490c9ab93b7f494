import { Button, PasswordInput, TextInput } from '@mantine/core';
import type { authApi } from '@portico/contract/auth.ts';
import { IconAlertCircle } from '@tabler/icons-react';
import { type FormEvent, useRef, useState } from 'react';
import classes from '#features/auth/auth.module.css';
import { AuthLayout } from '#features/auth/auth-layout.tsx';
import { PublicLink } from '#features/auth/public-link.tsx';
import { useAuthTexts } from '#features/auth/use-auth-texts.ts';
import { ApiError, address, call } from '#lib/client.ts';
import { keepToken } from '#lib/session.ts';
import { tenant } from '#lib/tenant.ts';

const login = address<typeof authApi.login>('POST', '/v1/user/login');

type Field = 'email' | 'password';
type Problems = Partial<Record<Field, string>> & { form?: string };

export function LoginPage({ onSignedIn }: { onSignedIn: () => void }) {
  const { t } = useAuthTexts();
  const [problems, setProblems] = useState<Problems>({});
  const [pending, setPending] = useState(false);
  const form = useRef<HTMLFormElement>(null);

  const refuse = (found: Problems) => {
    setProblems(found);
    setPending(false);
    const first = (['email', 'password'] as const).find(field => found[field]) ?? 'password';
    form.current?.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus();
  };

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const email = String(fields.get('email') ?? '').trim();
    const password = String(fields.get('password') ?? '');
    const found: Problems = {};
    if (!email) found.email = t('required');
    else if (!/^[^\s@]+@[^\s@]+$/.test(email)) found.email = t('invalidEmail');
    if (!password) found.password = t('required');
    if (found.email || found.password) return refuse(found);
    setPending(true);
    setProblems({});
    try {
      const { data } = await call(login, { body: { email, password } });
      keepToken(data.token);
      onSignedIn();
    } catch (error) {
      if (!(error instanceof ApiError)) return refuse({ form: t('unreachable') });
      const { email: atEmail, password: atPassword } = error.errors;
      if (!atEmail && !atPassword) return refuse({ form: error.message });
      refuse({ ...(atEmail?.[0] && { email: atEmail[0] }), ...(atPassword?.[0] && { password: atPassword[0] }) });
    }
  };

  return (
    <AuthLayout title={t('login.title')} lead={t('login.lead', { name: tenant().brand.name })}>
      <form ref={form} className={classes.form} onSubmit={submit} noValidate>
        {/* The alert's place is always there: what enters it is announced. */}
        <div role="alert" hidden={!problems.form}>
          {problems.form && (
            <div className={classes.problem}>
              <IconAlertCircle size={18} aria-hidden />
              {problems.form}
            </div>
          )}
        </div>
        <TextInput
          name="email"
          type="email"
          label={t('email')}
          autoComplete="username"
          autoFocus
          error={problems.email}
          inputMode="email"
        />
        <PasswordInput
          name="password"
          label={t('password')}
          autoComplete="current-password"
          error={problems.password}
          visibilityToggleButtonProps={{ 'aria-label': t('showPassword'), tabIndex: 0 }}
        />
        <Button type="submit" loading={pending} fullWidth mt={4}>
          {t('login.submit')}
        </Button>
      </form>
      <p className={classes.other}>
        {t('login.noAccount')} <PublicLink to="/auth/register">{t('login.register')}</PublicLink>
      </p>
    </AuthLayout>
  );
}
