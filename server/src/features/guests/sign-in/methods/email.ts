import { proveByEmail } from './free-access.ts';
import { maskEmail } from './masks.ts';
import type { Method } from './method.ts';

/** Free access with an e-mail address. */
export const email: Method<'email'> = {
  target: () => null,
  shown: form => ({ email: maskEmail(form.email) }),
  prove: attempt => proveByEmail(attempt, 'email'),
};
