const keptMs = 15 * 60_000;
const most = 10_000;
const asked = new Map<string, { email: string; at: number }>();

/** Remembers for which e-mail a code was last asked from an address, whether or not it is a user's. */
export function rememberAsked(from: string, email: string): void {
  asked.delete(from);
  asked.set(from, { email, at: Date.now() });
  for (const key of asked.keys()) {
    if (asked.size <= most) break;
    asked.delete(key);
  }
}

export function lastAsked(from: string): string | undefined {
  const it = asked.get(from);
  return it && Date.now() - it.at < keptMs ? it.email : undefined;
}
