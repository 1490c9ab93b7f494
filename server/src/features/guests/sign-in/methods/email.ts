import { proveByEmail } from './free-access.ts';
import type { Method } from './method.ts';

/** Free access with an e-mail address. */
export const email: Method<'email'> = {
  target: () => null,
  recorded: form => ({ email: form.email }),
  prove: attempt => proveByEmail(attempt, 'email'),
};
