export type RequestBody = string | FormData | null;

const reuseMs = 600_000;
const unanswered = new Map<string, { key: string; at: number }>();

/** Works on plain http too, where `crypto.randomUUID` is missing. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('');

/** Equal requests have the same text. Files are equal if their name, size and time of the last change are. */
function textOf(url: string, body: RequestBody): string {
  if (!(body instanceof FormData)) return `${url} ${body}`;
  const fields = [...body].map(([field, value]) =>
    value instanceof File ? [field, value.name, value.size, value.lastModified] : [field, value],
  );
  return `${url} ${JSON.stringify(fields)}`;
}

/**
 * The Idempotency-Key of a request. A request that got no answer and is sent again has the same key, so that the server
 * does not create anything twice.
 */
export function keyFor(url: string, body: RequestBody): string {
  const request = textOf(url, body);
  const before = unanswered.get(request);
  const it = before && Date.now() - before.at < reuseMs ? before : { key: newKey(), at: Date.now() };
  unanswered.set(request, it);
  return it.key;
}

/** After a final response, an equal request gets a new key. With Retry-After, the same request may be sent again. */
export function answered(url: string, body: RequestBody, { status, headers }: Response): void {
  if (status < 500 && !headers.has('retry-after')) unanswered.delete(textOf(url, body));
}
