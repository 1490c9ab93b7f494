import { NativeSelect, TextInput } from '@mantine/core';
import type { AuthUser } from '@portico/contract/auth.ts';
import { useTranslation } from 'react-i18next';
import { useSendConfirmation, useUpdateAccount } from '#features/account/account.api.ts';
import classes from '#features/account/account.module.css';
import { FormActions } from '#features/account/form-actions.tsx';
import { Card } from '#ui/card.tsx';
import layout from '#ui/form-layout.module.css';
import { PasswordField } from '#ui/password-field.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

/** Names, addresses and the e-mail language. */
export function AccountForm({ user }: { user: AuthUser }) {
  const { t } = useTranslation(['account', 'common']);
  const update = useUpdateAccount(t('saved'));
  const { first_name, last_name, email, phone_number, language } = user;
  const { form, element } = useContractForm({
    schema: async () => (await import('#features/account/account-schemas.ts')).accountSettings,
    initial: { first_name, last_name, email, phone_number, language, current_password: '' },
    version: JSON.stringify([first_name, last_name, email, phone_number, language, user.pending_email]),
    toInput: values => ({ ...values, current_password: values.current_password || undefined }),
    submit: values => update.mutateAsync(values),
  });
  const { getInputProps, values } = form;
  const changesEmail = values.email.trim().toLowerCase() !== email.toLowerCase();
  const sendAgain = useSendConfirmation();
  // Sending the current address cancels the pending change.
  const takeBack = () => update.mutate({ first_name, last_name, email, phone_number });
  return (
    <form {...element}>
      <Card title={t('person')} description={t('personHelp')}>
        <div className={layout.fields}>
          <div className={layout.two}>
            <TextInput label={t('firstName')} withAsterisk autoComplete="given-name" {...getInputProps('first_name')} />
            <TextInput label={t('lastName')} withAsterisk autoComplete="family-name" {...getInputProps('last_name')} />
          </div>
          <TextInput
            type="email"
            label={t('email')}
            description={t('emailHelp')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            withAsterisk
            autoComplete="email"
            {...getInputProps('email')}
          />
          {!user.email_confirmed && (
            <p className={classes.notice}>
              {t('unconfirmed')}{' '}
              <button type="button" onClick={() => sendAgain.mutate(undefined)} disabled={sendAgain.isPending}>
                {t('sendConfirmation')}
              </button>
            </p>
          )}
          {user.pending_email && (
            <p className={classes.notice}>
              {t('pendingEmail', { email: user.pending_email })}{' '}
              <button type="button" onClick={takeBack} disabled={update.isPending}>
                {t('takeBack')}
              </button>
            </p>
          )}
          {changesEmail && (
            <PasswordField
              label={t('currentPassword')}
              description={t('currentPasswordHelp')}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              withAsterisk
              autoComplete="current-password"
              {...getInputProps('current_password')}
            />
          )}
          <div className={layout.two}>
            <TextInput
              type="tel"
              label={t('phone')}
              withAsterisk
              autoComplete="tel"
              {...getInputProps('phone_number')}
            />
            <NativeSelect
              label={t('language')}
              data={[
                { value: 'en', label: 'English' },
                { value: 'tr', label: 'Türkçe' },
              ]}
              {...getInputProps('language')}
            />
          </div>
        </div>
        <FormActions dirty={form.isDirty()} pending={update.isPending} onReset={form.reset} />
      </Card>
    </form>
  );
}
