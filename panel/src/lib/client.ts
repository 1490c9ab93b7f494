import type { Answer, Call, Endpoint } from '@portico/contract/endpoint.ts';
import type { Problem } from '@portico/contract/errors.ts';
import i18next from 'i18next';
import type { RequestBody } from '#lib/idempotency.ts';
import { language } from '#lib/language.ts';
import { signedOutElsewhere, tenantOverride, token } from '#lib/session.ts';

/** An error response of the API: its status, its translated message and, for a 422, the messages of each field. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly errors: Record<string, string[]>;
  /** The stored values of fields for which the request expected other values. */
  readonly current: Problem['current'];
  /** Seconds after which a busy server, or one that was asked too often, can be asked again. */
  readonly retryAfter: number | undefined;

  constructor(status: number, body: Partial<Problem>, retryAfter?: number) {
    // A proxy that answers for the server sends no message of ours.
    super(body.message ?? i18next.t('error.status', { ns: 'common', status }));
    this.name = 'ApiError';
    this.status = status;
    this.code = body.code ?? '';
    this.errors = body.errors ?? {};
    this.current = body.current;
    this.retryAfter = retryAfter;
  }
}

/** The part of an endpoint that a call needs at run time. The screens before sign-in use it to keep the schemas out of their bundle. */
export type Address<E extends Endpoint = Endpoint> = Pick<E, 'method' | 'path'>;

/** An endpoint by its address alone; the compiler checks it against the contract. */
export const address = <E extends Endpoint>(method: E['method'], path: E['path']) => ({ method, path }) as E;

type Options = { signal?: AbortSignal | undefined };
/** The arguments of a call. An endpoint with an upload gets a form with the file. */
type Given<E> = E extends { upload: object } ? Omit<Call<E>, 'body'> & { body: FormData } : Call<E>;
export type CallArguments<E> =
  Record<never, never> extends Given<E> ? [call?: Given<E> & Options] : [call: Given<E> & Options];
type Loose = Options & { params?: Record<string, string>; query?: Record<string, unknown>; body?: unknown };

function urlOf(endpoint: Address, { params, query }: Loose): string {
  const path = endpoint.path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(params?.[key] ?? ''));
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query ?? {})) {
    if (value === undefined || value === null || value === '') continue;
    search.set(key, Array.isArray(value) ? value.join(',') : String(value));
  }
  return search.size > 0 ? `${path}?${search}` : path;
}

export function requestHeaders(): Record<string, string> {
  const headers: Record<string, string> = { 'accept-language': language() };
  const bearer = token();
  const tenant = tenantOverride();
  if (bearer) headers.authorization = `Bearer ${bearer}`;
  if (tenant) headers['x-tenant'] = tenant;
  return headers;
}

interface Additions {
  /** The Idempotency-Key of a POST. */
  keyFor(url: string, body: RequestBody): string;
  answered(url: string, body: RequestBody, response: Response): void;
  /** Additional headers of each request. */
  headers(): Record<string, string>;
  fetch(url: string, init: RequestInit): Promise<Response>;
}
let additions: Additions | undefined;
/** Sets what requests carry after sign-in. Not part of this file, because the screens before sign-in must stay small. */
export const addToRequests = (all: Additions): void => {
  additions = all;
};

async function send(endpoint: Address, call: Loose): Promise<Response> {
  const bearer = token();
  const headers = { ...requestHeaders(), ...additions?.headers() };
  const isForm = call.body instanceof FormData;
  if (call.body !== undefined && !isForm) headers['content-type'] = 'application/json';
  const url = urlOf(endpoint, call);
  const body = call.body === undefined ? null : isForm ? (call.body as FormData) : JSON.stringify(call.body);
  const keyed = endpoint.method === 'POST' ? additions : undefined;
  if (keyed) headers['idempotency-key'] = keyed.keyFor(url, body);
  const init = { method: endpoint.method, headers, body, signal: call.signal ?? null };
  const response = await (additions?.fetch ?? fetch)(url, init);
  keyed?.answered(url, body, response);
  if (response.ok) return response;
  if (response.status === 401 && bearer) signedOutElsewhere(bearer);
  const wait = Number(response.headers.get('retry-after')) || undefined;
  throw new ApiError(response.status, await response.json().catch(() => ({})), wait);
}

/** Calls an endpoint; throws `ApiError` for an error response and `TypeError` when the server cannot be reached. */
export async function call<E extends Endpoint>(endpoint: E, ...[given]: CallArguments<E>): Promise<Answer<E>> {
  const response = await send(endpoint, (given ?? {}) as Loose);
  if (response.status === 204) return undefined as Answer<E>;
  const isJson = response.headers.get('content-type')?.includes('json');
  return (await (isJson ? response.json() : response.text())) as Answer<E>;
}

/** Downloads a file as `filename`. */
export async function download<E extends Endpoint>(
  endpoint: E,
  filename: string,
  ...[given]: CallArguments<E>
): Promise<void> {
  const response = await send(endpoint, (given ?? {}) as Loose);
  const url = URL.createObjectURL(await response.blob());
  const link = Object.assign(document.createElement('a'), { href: url, download: filename });
  link.click();
  // Some browsers start reading the file only after this task.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** The options of a query hook. The key begins with the path, so that all queries of an endpoint can be refreshed together. */
export const queryOf = <E extends Endpoint>(endpoint: E, ...[given]: CallArguments<E>) => ({
  queryKey: [endpoint.path, given ?? {}] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    (call as (e: E, c: unknown) => Promise<Answer<E>>)(endpoint, { ...given, signal }),
});
