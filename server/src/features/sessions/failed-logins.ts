import type { App } from '#lib/app.ts';

/** Shown instead of every password. Its length reveals nothing. */
export const hidden = '••••••••';

/** Encrypts the typed values of a failed sign-in. The caller replaces passwords by `hidden`. */
const encryptParams = (app: App, params: Record<string, string>): string => app.secrets.encrypt(JSON.stringify(params));

/** The value that tells who tried to sign in. */
export const typedName = (params: Readonly<Record<string, string>>): string | undefined =>
  ['username', 'email', 'phone', 'room_number', 'citizen_id'].map(key => params[key]).find(Boolean);

/** The same for names that differ in case or accents, and for numbers with and without the code of the country. */
function foldedName(name: string): string {
  const digits = name.replace(/\D/g, '');
  if (digits.length >= 10 && /^[+\d\s().-]+$/.test(name)) return digits.slice(-10);
  return name.trim().normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ı', 'i');
}

/** By this, the search finds the failed sign-ins with a name. */
export const typedHash = (app: Pick<App, 'secrets'>, tenantId: string, name: string): Buffer =>
  app.secrets.ofTenant(tenantId).index(foldedName(name));

/** The columns of the typed values. */
export function typedColumns(app: App, tenantId: string, params: Record<string, string>) {
  const name = typedName(params);
  return {
    params: encryptParams(app, params),
    typed_hash: name === undefined ? null : typedHash(app, tenantId, name).toString('hex'),
  };
}

/** Reverses encryptParams. Values encrypted with another SECRET_KEY are left out. */
export function decryptParams(app: App, text: string | null): Record<string, string> {
  if (text === null) return {};
  try {
    return JSON.parse(app.secrets.decrypt(text)) as Record<string, string>;
  } catch {
    return {};
  }
}
