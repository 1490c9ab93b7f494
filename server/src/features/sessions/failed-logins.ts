import type { App } from '#lib/app.ts';

/** Shown instead of every password. Its length reveals nothing. */
export const hidden = '••••••••';

/** Encrypts the typed values of a failed sign-in. The caller replaces passwords by `hidden`. */
export const encryptParams = (app: App, params: Record<string, string>): string =>
  app.secrets.encrypt(JSON.stringify(params));

/** Reverses encryptParams. Values encrypted with another SECRET_KEY are left out. */
export function decryptParams(app: App, text: string | null): Record<string, string> {
  if (text === null) return {};
  try {
    return JSON.parse(app.secrets.decrypt(text)) as Record<string, string>;
  } catch {
    return {};
  }
}
