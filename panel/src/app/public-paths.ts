/** The addresses that need no sign-in and exist; anything else is the panel's. */
export const publicPaths = ['/auth/login', '/auth/register', '/auth/complete'] as const;
export type PublicPath = (typeof publicPaths)[number];

export const isPublicPath = (path: string): path is PublicPath => (publicPaths as readonly string[]).includes(path);
