import { useTranslation } from 'react-i18next';
import { useUpdateAccount } from '#features/account/account.api.ts';
import { FormActions } from '#features/account/form-actions.tsx';
import { tenant } from '#lib/tenant.ts';
import { useUser } from '#lib/user.ts';
import { Card } from '#ui/card.tsx';
import layout from '#ui/form-layout.module.css';
import { PasswordField } from '#ui/password-field.tsx';
import { PasswordStrength } from '#ui/password-strength.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

export function PasswordForm() {
  const { t } = useTranslation('account');
  const { email } = useUser();
  const update = useUpdateAccount(t('password.changed'));
  const { form, element } = useContractForm({
    schema: async () => (await import('#features/account/account-schemas.ts')).newPassword,
    initial: { current_password: '', password: '', password_confirmation: '' },
    submit: async values => {
      await update.mutateAsync(values);
      form.reset();
    },
  });
  const { getInputProps, values } = form;
  return (
    <form {...element}>
      {/* Password managers store the new password under this name. */}
      <input type="email" value={email} autoComplete="username" readOnly hidden />
      <Card title={t('password.title')} description={t('password.help')}>
        <div className={layout.fields}>
          <div className={layout.two}>
            <PasswordField
              label={t('currentPassword')}
              withAsterisk
              autoComplete="current-password"
              {...getInputProps('current_password')}
            />
          </div>
          <div className={layout.two}>
            <div>
              <PasswordField
                label={t('password.new')}
                withAsterisk
                autoComplete="new-password"
                {...getInputProps('password')}
              />
              <PasswordStrength
                password={values.password}
                atLeast={tenant().password_min}
                error={getInputProps('password').error}
              />
            </div>
            <PasswordField
              label={t('password.again')}
              withAsterisk
              autoComplete="new-password"
              {...getInputProps('password_confirmation')}
            />
          </div>
        </div>
        <FormActions needsInput dirty={form.isDirty()} pending={update.isPending} onReset={form.reset} />
      </Card>
    </form>
  );
}
