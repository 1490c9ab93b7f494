/** Deeper than anything that is asked for, and far from what a stack can hold. */
const deepest = 100;

/**
 * The path of the first thing that cannot be kept: a string that PostgreSQL cannot hold (a NUL or half a surrogate pair), or
 * what is nested without end. Undefined when all is well.
 */
export function unstorable(value: unknown, path = '', depth = 0): string | undefined {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed() ? path : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth > deepest) return path.split('.', 1)[0];
  for (const [key, inner] of Object.entries(value)) {
    if (unstorable(key) !== undefined) return path;
    const bad = unstorable(inner, path ? `${path}.${key}` : key, depth + 1);
    if (bad !== undefined) return bad;
  }
  return undefined;
}
