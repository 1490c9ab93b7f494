import { currentPassword, twoFactorCode } from '@portico/contract/auth.ts';
import { email, name, password, phone } from '@portico/contract/fields.ts';
import { passkeyName } from '@portico/contract/passkeys.ts';
import { z } from 'zod';
import { tenant } from '#lib/tenant.ts';

/** The parts of the contract's account schema for the two pages. */
export const accountSettings = z.object({
  first_name: name,
  last_name: name,
  email,
  phone_number: phone,
  language: z.enum(['tr', 'en']),
  current_password: z.string().min(1).max(200).optional(),
});

export const newPassword = z
  .object({
    current_password: z.string().min(1).max(200),
    password: password.min(tenant().password_min),
    password_confirmation: z.string().min(1).max(200),
  })
  .superRefine((it, context) => {
    if (it.password !== it.password_confirmation)
      context.addIssue({ code: 'custom', path: ['password_confirmation'], message: 'password_match' });
  });

export { currentPassword, passkeyName, twoFactorCode };
