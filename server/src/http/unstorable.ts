/** The path of the first string that PostgreSQL cannot hold (a NUL or half a surrogate pair), or undefined. */
export function unstorable(value: unknown, path = ''): string | undefined {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed() ? path : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    if (unstorable(key) !== undefined) return path;
    const bad = unstorable(inner, path ? `${path}.${key}` : key);
    if (bad !== undefined) return bad;
  }
  return undefined;
}
