import { AccountForm } from '#features/account/account-form.tsx';
import { AccountHeader } from '#features/account/account-header.tsx';
import { useUser } from '#lib/user.ts';

export function AccountSettingsPage() {
  const user = useUser();
  const { first_name, last_name, email, phone_number, language, pending_email } = user;
  return (
    <>
      <AccountHeader />
      <AccountForm
        // The form restarts when the values change in another tab or through a link in an e-mail.
        key={JSON.stringify([first_name, last_name, email, phone_number, language, pending_email])}
        user={user}
      />
    </>
  );
}
