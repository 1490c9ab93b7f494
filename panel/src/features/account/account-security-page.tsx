import { AccountHeader } from '#features/account/account-header.tsx';
import { SecuritySettings } from '#features/account/security-settings.tsx';

export function AccountSecurityPage() {
  return (
    <>
      <AccountHeader />
      <SecuritySettings />
    </>
  );
}
