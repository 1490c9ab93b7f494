import { Button, TextInput } from '@mantine/core';
import type { authApi } from '@portico/contract/auth.ts';
import type { InvitationInfo } from '@portico/contract/team.ts';
import classes from '#features/auth/auth.module.css';
import { FormProblem } from '#features/auth/form-problem.tsx';
import { NewPassword } from '#features/auth/new-password.tsx';
import { useAuthForm } from '#features/auth/use-auth-form.ts';
import { useAuthTexts } from '#features/auth/use-auth-texts.ts';
import { address, call } from '#lib/client.ts';
import { goTo } from '#lib/public-navigation.ts';
import { toastSuccess } from '#lib/toast.ts';

const register = address<typeof authApi.register>('POST', '/v1/user/register');

/** For an invited person without an account. The sign-in page follows (document 2, section 2), with the address filled in. */
export function InvitationJoin({ token, invitation }: { token: string; invitation: InvitationInfo }) {
  const { t } = useAuthTexts();
  const { ref, onSubmit, errors, problem, pending } = useAuthForm({
    fields: ['first_name', 'last_name', 'email', 'phone_number', 'password'],
    send: async body => {
      await call(register, { body: { ...body, invite_token: token } });
      toastSuccess(t('invitation.joined', { location: invitation.location.name }));
      goTo('/auth/login', { email: invitation.email });
    },
  });
  return (
    <form ref={ref} className={classes.form} onSubmit={onSubmit} noValidate>
      <FormProblem text={problem} />
      <small>{t('invitation.allRequired')}</small>
      <div className={classes.pair}>
        <TextInput
          name="first_name"
          label={t('firstName')}
          autoComplete="given-name"
          defaultValue={invitation.first_name}
          error={errors.first_name}
          autoFocus
        />
        <TextInput
          name="last_name"
          label={t('lastName')}
          autoComplete="family-name"
          defaultValue={invitation.last_name}
          error={errors.last_name}
        />
      </div>
      <TextInput
        name="email"
        type="email"
        label={t('email')}
        description={t('invitation.emailHelp')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        className={classes.fixed ?? ''}
        autoComplete="username"
        value={invitation.email}
        readOnly
        error={errors.email}
      />
      <TextInput name="phone_number" type="tel" label={t('phone')} autoComplete="tel" error={errors.phone_number} />
      <NewPassword label={t('password')} error={errors.password} />
      <Button type="submit" loading={pending} fullWidth mt={4}>
        {t('invitation.join')}
      </Button>
    </form>
  );
}
