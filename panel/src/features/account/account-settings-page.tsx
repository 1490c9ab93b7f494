import { AccountForm } from '#features/account/account-form.tsx';
import { AccountHeader } from '#features/account/account-header.tsx';
import { useUser } from '#lib/user.ts';

export function AccountSettingsPage() {
  return (
    <>
      <AccountHeader />
      <AccountForm user={useUser()} />
    </>
  );
}
