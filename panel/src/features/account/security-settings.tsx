import { useTranslation } from 'react-i18next';
import classes from '#features/account/account.module.css';
import { Passkeys } from '#features/account/passkeys.tsx';
import { PasswordForm } from '#features/account/password-form.tsx';
import { SignIns } from '#features/account/sign-ins.tsx';
import { TwoFactor } from '#features/account/two-factor.tsx';
import { useUser } from '#lib/user.ts';

export function SecuritySettings() {
  const { t } = useTranslation('account');
  const { two_factor } = useUser();
  // Until then, the server refuses all other requests.
  const mustSetUp = two_factor.required && !two_factor.enabled;
  return (
    <>
      {mustSetUp && (
        <p className={classes.required} role="status">
          {t('twoFactor.mustSetUp')}
        </p>
      )}
      {!mustSetUp && <PasswordForm />}
      <TwoFactor />
      <Passkeys />
      {!mustSetUp && <SignIns />}
    </>
  );
}
