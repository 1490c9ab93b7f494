import { TextInput } from '@mantine/core';
import type { AuthUser } from '@portico/contract/auth.ts';
import type { Passkey } from '@portico/contract/passkeys.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAddPasskey, useRemovePasskey, useRenamePasskey } from '#features/account/passkeys.api.ts';
import { PasswordPrompt } from '#features/account/password-prompt.tsx';
import { RecoveryCodes } from '#features/account/recovery-codes.tsx';
import { toastError, toastSuccess } from '#lib/toast.ts';
import { setUser } from '#lib/user.ts';
import { FormModal } from '#ui/form-modal.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

/** Password, then the browser's own dialog, then the recovery codes if this is the first second factor. */
export function PasskeyAdd({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('account');
  const queries = useQueryClient();
  const add = useAddPasskey();
  const [made, setMade] = useState<{ recovery_codes: string[]; user: AuthUser }>();
  const finish = (user: AuthUser) => {
    onClose();
    setUser(queries, user);
    toastSuccess(t('passkeys.added'));
    // Queries that were refused until now can be loaded.
    void queries.invalidateQueries();
  };
  const submit = async (password: string) => {
    const added = await add.mutateAsync(password);
    if (typeof added === 'string') {
      toastError(t(`passkeys.${added}`));
      return onClose();
    }
    const { recovery_codes, user } = added;
    if (recovery_codes) setMade({ recovery_codes, user });
    else finish(user);
  };
  if (made) return <RecoveryCodes codes={made.recovery_codes} onClose={() => finish(made.user)} />;
  return (
    <PasswordPrompt
      title={t('passkeys.addTitle')}
      text={t('passkeys.addText')}
      submitLabel={t('passkeys.next')}
      pending={add.isPending}
      onPassword={submit}
      onClose={onClose}
    />
  );
}

export function PasskeyRename({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const { t } = useTranslation('account');
  const rename = useRenamePasskey(passkey.id);
  const form = useContractForm({
    schema: async () => (await import('#features/account/account-schemas.ts')).passkeyName,
    initial: { name: passkey.name },
    submit: values => rename.mutateAsync(values).then(onClose),
  });
  return (
    <FormModal title={t('passkeys.renameTitle')} form={form} size={440} pending={rename.isPending} onClose={onClose}>
      <TextInput label={t('passkeys.name')} maxLength={120} data-autofocus {...form.form.getInputProps('name')} />
    </FormModal>
  );
}

export function PasskeyRemove({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const { t } = useTranslation('account');
  const remove = useRemovePasskey(passkey.id);
  return (
    <PasswordPrompt
      title={t('passkeys.removeTitle')}
      text={t('passkeys.removeText', { name: passkey.name })}
      submitLabel={t('passkeys.remove')}
      pending={remove.isPending}
      onPassword={password => remove.mutateAsync(password).then(onClose)}
      onClose={onClose}
    />
  );
}
