import { useTranslation } from 'react-i18next';
import { useEndTwoFactor } from '#features/account/account.api.ts';
import { PasswordPrompt } from '#features/account/password-prompt.tsx';

export function TwoFactorEnd({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('account');
  const end = useEndTwoFactor();
  return (
    <PasswordPrompt
      title={t('twoFactor.endTitle')}
      text={t('twoFactor.endText')}
      submitLabel={t('twoFactor.switchOff')}
      pending={end.isPending}
      onPassword={password => end.mutateAsync(password).then(onClose)}
      onClose={onClose}
    />
  );
}
