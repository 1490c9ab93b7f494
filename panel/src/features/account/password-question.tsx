import { useTranslation } from 'react-i18next';
import { FormModal } from '#ui/form-modal.tsx';
import { PasswordField } from '#ui/password-field.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

interface Props {
  title: string;
  text: string;
  submitLabel: string;
  pending: boolean;
  onPassword: (password: string) => Promise<unknown>;
  onClose: () => void;
}

/** Asks for the password again before a sensitive action, in case the screen was left unlocked. */
export function PasswordQuestion({ title, text, submitLabel, pending, onPassword, onClose }: Props) {
  const { t } = useTranslation('account');
  const form = useContractForm({
    schema: async () => (await import('#features/account/account-schemas.ts')).currentPassword,
    initial: { password: '' },
    submit: ({ password }) => onPassword(password),
  });
  return (
    <FormModal title={title} form={form} size={440} submitLabel={submitLabel} pending={pending} onClose={onClose}>
      <PasswordField
        label={t('currentPassword')}
        description={text}
        inputWrapperOrder={['label', 'description', 'input', 'error']}
        autoComplete="current-password"
        data-autofocus
        {...form.form.getInputProps('password')}
      />
    </FormModal>
  );
}
