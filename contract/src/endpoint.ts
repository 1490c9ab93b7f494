import { z } from 'zod';
import type { Access } from './permissions.ts';

/**
 * The definition of an HTTP endpoint. The server uses it for routing, validation, authorisation and documentation, the panel
 * for its calls, and the authorisation test to reach every endpoint.
 */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: `/v1/${string}`;
  readonly access: Access;
  readonly summary: string;
  /** More for the documentation than the summary says, in Markdown. */
  readonly description?: string;
  /** Statuses of refusals besides those that `statusesOf` knows: 403 of a public endpoint, 409 of a GET. */
  readonly refusals?: readonly (403 | 409)[];
  /** The path parameter of the location whose permissions apply. Default: the active team. */
  readonly location?: 'id';
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** The body is multipart/form-data with a file. Its text fields are validated by `body`. */
  readonly upload?: { readonly maxBytes: number };
  /** The response: a JSON schema, or a kind of file. */
  readonly reply: z.ZodType | 'none' | 'csv' | 'text' | 'html' | 'events' | 'file';
  /** A list that returns all its rows as CSV if its query has `download=true`. */
  readonly csvDownload?: true;
  readonly status?: 200 | 201 | 202 | 204;
  /** It creates what does not exist yet, and answers 201 then. */
  readonly creates?: true;
  /** Every call gets a new answer, because the answer is a secret that is good once. An Idempotency-Key has no effect. */
  readonly fresh?: true;
}

/** Declares an endpoint, keeping its exact type. */
export const endpoint = <const E extends Endpoint>(e: E): E => e;

type In<S> = S extends z.ZodType ? z.input<S> : never;
type Out<S> = S extends z.ZodType ? z.output<S> : never;
type PartName = 'params' | 'query' | 'body';
type PartsIn<E> = { [K in keyof E & PartName]: In<E[K]> };
type PartsOut<E> = { [K in keyof E & PartName]: Out<E[K]> };
type IsOptional<T> = Record<never, never> extends T ? true : false;

/** The arguments of a call. A part may be omitted if all its fields are optional. */
export type Call<E> = {
  [K in keyof PartsIn<E> as IsOptional<PartsIn<E>[K]> extends true ? K : never]?: PartsIn<E>[K];
} & { [K in keyof PartsIn<E> as IsOptional<PartsIn<E>[K]> extends true ? never : K]: PartsIn<E>[K] };

/** The validated input of a handler. */
export type Received<E> = PartsOut<E>;

/** The content of a file, in chunks. */
export type FileChunks = AsyncIterable<string | Uint8Array>;

/** The return type of a handler. */
export type Reply<E> = E extends { reply: infer S }
  ? S extends z.ZodType
    ? z.input<S> | (E extends { csvDownload: true } ? FileChunks : never)
    : S extends 'none'
      ? void
      : S extends 'text' | 'html'
        ? string
        : FileChunks
  : never;

/** The result of a call. */
export type Answer<E> = E extends { reply: infer S }
  ? S extends z.ZodType
    ? z.output<S>
    : S extends 'none'
      ? void
      : string
  : never;

export type Tree = { readonly [key: string]: Endpoint | Tree };

const isEndpoint = (x: Endpoint | Tree): x is Endpoint => typeof (x as Endpoint).path === 'string';

/** Every endpoint of a tree with its dotted name, such as `locations.list`. */
export function* endpoints(tree: Tree, at: readonly string[] = []): Generator<[name: string, Endpoint]> {
  for (const [key, value] of Object.entries(tree)) {
    if (isEndpoint(value)) yield [[...at, key].join('.'), value];
    else yield* endpoints(value, [...at, key]);
  }
}

/** Whether the header `Idempotency-Key` makes it safe to repeat a call: every POST of a signed-in caller, unless it is `fresh`. */
export const takesIdempotencyKey = ({ method, access, reply, fresh }: Endpoint): boolean =>
  method === 'POST' && access !== 'public' && !fresh && (typeof reply !== 'string' || reply === 'none');

/**
 * Every status that an endpoint can answer. Each call may bring a bad token (401), an unknown tenant (404) or be one too many
 * (429). The database may be away (503). A change may bring a body that cannot be read (400, 413, 415), or meet another change
 * (409).
 */
export function statusesOf(endpoint: Endpoint): number[] {
  const { method, access, reply, refusals = [] } = endpoint;
  const changes = method !== 'GET';
  const open = access === 'public';
  const validated = endpoint.params || endpoint.query || endpoint.body || takesIdempotencyKey(endpoint);
  return [
    endpoint.status ?? (reply === 'none' ? 204 : 200),
    ...(endpoint.creates ? [201] : []),
    ...(changes ? [400, 413, 415] : []),
    401,
    ...(open ? [] : [403]),
    404,
    ...(changes ? [409] : []),
    ...(validated ? [422] : []),
    ...[429, 500, 503],
    ...refusals,
  ].sort((a, b) => a - b);
}

/** `{data: …}`: the reply that holds one object. */
export const one = <S extends z.ZodType>(schema: S) => z.object({ data: schema });

const link = z.string().nullable();

/** A page of a list, with links and totals. `from` and `to` count from 1 and are null on an empty page. */
export const page = <S extends z.ZodType>(schema: S) =>
  z.object({
    data: z.array(schema),
    links: z.object({ first: link, last: link, next: link, prev: link }),
    meta: z.object({
      current_page: z.number(),
      from: z.number().nullable(),
      last_page: z.number(),
      path: z.string(),
      per_page: z.number(),
      to: z.number().nullable(),
      total: z.number(),
    }),
  });
