const reuseMs = 600_000;
const unanswered = new Map<string, { key: string; at: number }>();

/** Works on plain http too, where `crypto.randomUUID` is missing. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('');

/**
 * The Idempotency-Key of a request. A request that got no answer and is sent again has the same key, so that the server
 * does not create anything twice.
 */
export function keyFor(request: string): string {
  const before = unanswered.get(request);
  const it = before && Date.now() - before.at < reuseMs ? before : { key: newKey(), at: Date.now() };
  unanswered.set(request, it);
  return it.key;
}

/** After a final response, an equal request gets a new key. With Retry-After, the same request may be sent again. */
export function answered(request: string, { status, headers }: Response): void {
  if (status < 500 && !headers.has('retry-after')) unanswered.delete(request);
}
