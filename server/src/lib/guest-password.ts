import { hasForeignHash, isCheckedApart } from './foreign-password.ts';
import type { Secrets } from './secrets.ts';

// The password of a visitor is stored encrypted. A visitor from another program may have only a hash of it until the first
// sign-in. The encrypted text then begins with a NUL. No password has one, because requests with a NUL are refused.

const mark = '\0';

/** The stored value for a visitor of whom another program knew only the hash. */
export const sealHash = (secrets: Secrets, hash: string): string => secrets.encrypt(mark + hash);

/** The password; undefined if only its hash is known, or if it cannot be decrypted. */
export function clearPassword(secrets: Secrets, encrypted: string): string | undefined {
  const text = secrets.read(encrypted);
  return text?.startsWith(mark) ? undefined : text;
}

/** The password that a guest typed, and a comparison with another one. With CHAP only the comparison is possible. */
export interface Typed {
  readonly password: string | undefined;
  readonly is: (clear: string) => boolean;
}

/** `keep`: what to store from now on, after the first sign-in of a visitor with a hash. */
export interface Proof {
  readonly right: boolean;
  readonly keep?: string;
}

/** Whether a check of this password needs a process of its own, and may take seconds. */
export function takesLong(secrets: Secrets, encrypted: string): boolean {
  const text = secrets.read(encrypted);
  return text !== undefined && text.startsWith(mark) && isCheckedApart(text.slice(1));
}

/** Whether a guest of this tenant typed the stored password. Throws CryptAway if that cannot be said now. */
export async function provePassword(
  secrets: Secrets,
  encrypted: string,
  typed: Typed,
  tenantId: string,
): Promise<Proof> {
  const text = secrets.read(encrypted);
  if (text === undefined) return { right: false };
  if (!text.startsWith(mark)) return { right: typed.is(text) };
  const { password } = typed;
  if (!password || !(await hasForeignHash(text.slice(1), password, tenantId))) return { right: false };
  return { right: true, keep: secrets.encrypt(password) };
}
