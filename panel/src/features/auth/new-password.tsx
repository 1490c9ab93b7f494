import { useState } from 'react';
import { tenant } from '#lib/tenant.ts';
import { PasswordField } from '#ui/password-field.tsx';
import { PasswordStrength } from '#ui/password-strength.tsx';

interface Props {
  label: string;
  error: string | undefined;
}

/** A field for a new password, with its strength. */
export function NewPassword({ label, error }: Props) {
  const [password, setPassword] = useState('');
  return (
    <div>
      <PasswordField
        name="password"
        label={label}
        autoComplete="new-password"
        error={error}
        value={password}
        onChange={event => setPassword(event.currentTarget.value)}
      />
      <PasswordStrength password={password} atLeast={tenant().password_min} error={error} />
    </div>
  );
}
