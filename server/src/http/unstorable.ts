const maxDepth = 100;

/** True for a text that PostgreSQL cannot store: it holds a NUL or half a surrogate pair. */
function isUnstorableText(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    // Most texts hold neither, and this loop is faster for short texts than the two exact checks.
    if (unit === 0 || (unit & 0xf800) === 0xd800) return text.includes('\0') || !text.isWellFormed();
  }
  return false;
}

/** Builds no paths: an attacker may send a body of half a million values. */
function isUnstorable(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return isUnstorableText(value);
  if (typeof value !== 'object' || value === null) return false;
  if (depth > maxDepth) return true;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item !== 'number' && isUnstorable(item, depth + 1)) return true;
    return false;
  }
  for (const key of Object.keys(value))
    if (isUnstorableText(key) || isUnstorable((value as Record<string, unknown>)[key], depth + 1)) return true;
  return false;
}

function pathTo(value: unknown, path: string, depth: number): string {
  if (typeof value !== 'object' || value === null) return path;
  if (depth > maxDepth) return path.split('.', 1)[0]!;
  for (const [key, inner] of Object.entries(value)) {
    if (isUnstorableText(key)) return path;
    if (isUnstorable(inner, depth + 1)) return pathTo(inner, path ? `${path}.${key}` : key, depth + 1);
  }
  return path;
}

/**
 * The path of the first value that cannot be stored: a text with a NUL or half a surrogate pair, or a value nested too
 * deeply. Undefined when everything can be stored.
 */
export function unstorable(value: unknown): string | undefined {
  return isUnstorable(value, 0) ? pathTo(value, '', 0) : undefined;
}

/** Whether a value is nested more deeply than anything that is stored. */
export function isTooDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth > maxDepth || Object.values(value).some(inner => isTooDeep(inner, depth + 1));
}
