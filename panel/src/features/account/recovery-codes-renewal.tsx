import type { AuthUser } from '@portico/contract/auth.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRenewRecoveryCodes } from '#features/account/account.api.ts';
import { PasswordPrompt } from '#features/account/password-prompt.tsx';
import { RecoveryCodes } from '#features/account/recovery-codes.tsx';
import { setUser } from '#lib/user.ts';

/** Password, then the new recovery codes. */
export function RecoveryCodesRenewal({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('account');
  const queries = useQueryClient();
  const renew = useRenewRecoveryCodes();
  const [made, setMade] = useState<{ recovery_codes: string[]; user: AuthUser }>();
  if (made)
    return (
      <RecoveryCodes
        codes={made.recovery_codes}
        onClose={() => {
          onClose();
          setUser(queries, made.user);
        }}
      />
    );
  return (
    <PasswordPrompt
      title={t('recovery.renewTitle')}
      text={t('recovery.renewText')}
      submitLabel={t('recovery.renew')}
      pending={renew.isPending}
      onPassword={password => renew.mutateAsync(password).then(({ data }) => setMade(data))}
      onClose={onClose}
    />
  );
}
