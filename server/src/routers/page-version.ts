/**
 * Of the sign-in pages that routers are given, by brand; raised whenever one changes, as routers keep theirs until they fetch
 * it again.
 */
export const pageVersions = { mikrotik: '2', sophos: '3' } as const;

export const pageVersionOf = (brand: string): string | undefined =>
  (pageVersions as Readonly<Record<string, string>>)[brand];
