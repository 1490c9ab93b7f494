import { TextInput } from '@mantine/core';
import type { AuthUser } from '@portico/contract/auth.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useBeginTwoFactor, useConfirmTwoFactor } from '#features/account/account.api.ts';
import classes from '#features/account/account.module.css';
import { PasswordQuestion } from '#features/account/password-question.tsx';
import { RecoveryCodes } from '#features/account/recovery-codes.tsx';
import { setUser } from '#lib/user.ts';
import { CopyButton } from '#ui/copy-button.tsx';
import { FormModal } from '#ui/form-modal.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

interface Secret {
  secret: string;
  uri: string;
  qr: string;
}

/** Password, then the app and its first code, then the recovery codes. */
export function TwoFactorSetup({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('account');
  const queries = useQueryClient();
  const begin = useBeginTwoFactor();
  const [secret, setSecret] = useState<Secret>();
  const [made, setMade] = useState<{ recovery_codes: string[]; user: AuthUser }>();

  if (made)
    return (
      <RecoveryCodes
        codes={made.recovery_codes}
        onClose={() => {
          onClose();
          setUser(queries, made.user);
          // Queries that were refused until now can be loaded.
          void queries.invalidateQueries();
        }}
      />
    );
  if (secret) return <ScanStep secret={secret} onConfirmed={setMade} onClose={onClose} />;
  return (
    <PasswordQuestion
      title={t('twoFactor.setUpTitle')}
      text={t('twoFactor.passwordText')}
      submitLabel={t('twoFactor.next')}
      pending={begin.isPending}
      onPassword={password => begin.mutateAsync(password).then(({ data }) => setSecret(data))}
      onClose={onClose}
    />
  );
}

interface ScanProps {
  secret: Secret;
  onConfirmed: (made: { recovery_codes: string[]; user: AuthUser }) => void;
  onClose: () => void;
}

function ScanStep({ secret, onConfirmed, onClose }: ScanProps) {
  const { t } = useTranslation('account');
  const confirm = useConfirmTwoFactor();
  const form = useContractForm({
    schema: async () => (await import('#features/account/account-schemas.ts')).twoFactorCode,
    initial: { code: '' },
    submit: async ({ code }) => onConfirmed((await confirm.mutateAsync(code)).data),
  });
  return (
    <FormModal
      title={t('twoFactor.setUpTitle')}
      form={form}
      size={480}
      submitLabel={t('twoFactor.switchOn')}
      pending={confirm.isPending}
      onClose={onClose}
    >
      <p className={classes.step}>{t('twoFactor.scan')}</p>
      <img className={classes.qr} src={secret.qr} alt={t('twoFactor.qr')} width={200} height={200} />
      <div className={classes.secret}>
        <span>{t('twoFactor.byHand')}</span>
        <code>{secret.secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
        <CopyButton value={secret.secret} label={t('twoFactor.secret')} />
      </div>
      <TextInput
        label={t('twoFactor.code')}
        description={t('twoFactor.codeHelp')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        className={classes.code ?? ''}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={7}
        data-autofocus
        {...form.form.getInputProps('code')}
      />
    </FormModal>
  );
}
