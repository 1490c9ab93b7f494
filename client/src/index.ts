import createFetchClient, { type Client, type Middleware } from 'openapi-fetch';
import type { components, paths } from './api.d.ts';

/** Named schemas, such as `Schemas['Visitor']`. */
export type Schemas = components['schemas'];
export type PorticoClient = Client<paths>;

export interface ClientOptions {
  /** Where Portico is, such as `https://wifi.example.com`. */
  readonly url: string;
  /** A personal access token, or that of a sign-in. */
  readonly token?: string;
  /** The slug of the tenant. Without it, the host name decides. */
  readonly tenant?: string;
  /** The language of messages. */
  readonly language?: 'tr' | 'en';
  /** How often a request is repeated after a 429, or if the server was away. Default: 3. */
  readonly retries?: number;
  readonly fetch?: (request: Request) => Promise<Response>;
}

/** A refusal: its status, its code, and the messages of each field. */
export class PorticoError extends Error {
  readonly status: number;
  readonly code: string;
  readonly errors: Readonly<Record<string, readonly string[]>>;
  readonly requestId: string | null;
  constructor(response: Response, problem: Partial<Schemas['Problem']> | undefined) {
    super(problem?.message ?? `HTTP ${response.status}`);
    this.name = 'PorticoError';
    this.status = response.status;
    this.code = problem?.code ?? 'unknown';
    this.errors = problem?.errors ?? {};
    this.requestId = response.headers.get('x-request-id');
  }
}

/** A client whose calls are checked against the API by the compiler. `data` is the reply, `error` the problem. */
export function createClient(options: ClientOptions): PorticoClient {
  const send = options.fetch ?? (request => fetch(request));
  const client = createFetchClient<paths>({
    baseUrl: options.url.replace(/\/$/, ''),
    fetch: request => withRetries(request, send, options.retries ?? 3),
  });
  client.use(headersOf(options));
  return client;
}

function headersOf({ token, tenant, language }: ClientOptions): Middleware {
  return {
    onRequest({ request }) {
      if (token) request.headers.set('authorization', `Bearer ${token}`);
      if (tenant) request.headers.set('x-tenant', tenant);
      if (language) request.headers.set('accept-language', language);
      // With a key, a repeated POST does its work once.
      if (request.method === 'POST' && !request.headers.has('idempotency-key'))
        request.headers.set('idempotency-key', crypto.randomUUID());
      return request;
    },
  };
}

const longestWaitSeconds = 60;

/** Waits as long as the server says, and sends the request again. */
async function withRetries(
  request: Request,
  send: (request: Request) => Promise<Response>,
  left: number,
): Promise<Response> {
  const response = await send(left > 0 ? request.clone() : request);
  const wait = Number(response.headers.get('retry-after'));
  const again = (response.status === 429 || response.status === 503) && wait > 0 && wait <= longestWaitSeconds;
  if (left === 0 || !again) return response;
  await response.body?.cancel();
  await new Promise(resolve => setTimeout(resolve, wait * 1000));
  return withRetries(request, send, left - 1);
}

interface Result<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/** The reply of a call; throws a PorticoError for a refusal. */
export async function reply<T>(call: Promise<Result<T>>): Promise<T> {
  const { data, error, response } = await call;
  if (error !== undefined || !response.ok) throw new PorticoError(response, error as Partial<Schemas['Problem']>);
  return data as T;
}

interface Page<T> {
  readonly data: readonly T[];
  readonly meta: { readonly current_page: number; readonly last_page: number };
}

/** Every row of a list: asks for one page after the other. */
export async function* rows<T>(ask: (page: number) => Promise<Result<Page<T>>>): AsyncGenerator<T> {
  for (let page = 1; ; page += 1) {
    const { data, meta } = await reply(ask(page));
    yield* data;
    if (meta.current_page >= meta.last_page) return;
  }
}
