/** The addresses that need no sign-in; all others belong to the panel. */
export const publicPaths = [
  '/auth/login',
  '/auth/register',
  '/auth/complete',
  '/auth/forgot-password',
  '/auth/reset-password',
  '/auth/sso',
] as const;
export type PublicPath = (typeof publicPaths)[number];

export const isPublicPath = (path: string): path is PublicPath => (publicPaths as readonly string[]).includes(path);

/** A link from an e-mail, which works with and without being signed in. */
export type MailLink = { readonly page: 'invitation' | 'confirm-email'; readonly token: string };

export function mailLink(path: string): MailLink | undefined {
  const [, place, token] = /^\/(invitation\/accept|visitor\/confirm-email)\/([^/]+)\/?$/.exec(path) ?? [];
  if (!token) return undefined;
  return { page: place === 'invitation/accept' ? 'invitation' : 'confirm-email', token: decodeURIComponent(token) };
}
