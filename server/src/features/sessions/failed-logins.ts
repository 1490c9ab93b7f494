import type { App } from '#lib/app.ts';

/** What a failed sign-in shows of a password, whatever its length. */
export const hidden = '••••••••';

/** What was typed, for the failed sign-ins; passwords must be `hidden` already. */
export const encryptParams = (app: App, params: Record<string, string>): string =>
  app.secrets.encrypt(JSON.stringify(params));

/** Undoes encryptParams; nothing for what can't be read any more (another SECRET_KEY). */
export function decryptParams(app: App, text: string | null): Record<string, string> {
  if (text === null) return {};
  try {
    return JSON.parse(app.secrets.decrypt(text)) as Record<string, string>;
  } catch {
    return {};
  }
}
