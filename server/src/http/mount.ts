import { Readable } from 'node:stream';
import multipart from '@fastify/multipart';
import { onlySent } from '@portico/contract/change.ts';
import {
  type Endpoint,
  endpoints,
  type FileChunks,
  type Tree,
  takesIdempotencyKey,
} from '@portico/contract/endpoint.ts';
import { fieldErrors, say } from '@portico/contract/validation.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { z } from 'zod';
import { isUnavailable } from '#db/errors.ts';
import { type Actor, allows } from './actor.ts';
import { AppError, invalid, notFound } from './app-error.ts';
import { begin } from './begun-file.ts';
import { maxBytesBeforeSignIn } from './body-limits.ts';
import type { Context, Handlers, Upload } from './call.ts';
import { guarded } from './guarded-file.ts';
import { idempotencyKey, once } from './idempotency.ts';
import { endUnread, isFileCall, takePlace } from './open-files.ts';
import { type Refusal, refusal } from './refusal.ts';
import { type Rights, stillHas } from './rights.ts';
import { takenField } from './taken-field.ts';
import { isTooDeep, unstorable } from './unstorable.ts';
import { readUpload } from './upload.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Endpoint['access'];
  }
}

export interface Mounting {
  /** Tenant, language and database of a request. */
  readonly context: (request: FastifyRequest, reply: FastifyReply) => Promise<Context>;
  /** The caller; undefined without a token. Throws 401 for a bad token. */
  readonly actor: (context: Context) => Promise<Actor | undefined>;
  /** Whether the actor can see this location at all. */
  readonly reaches: (context: Context, actor: Actor, locationId: string) => Promise<boolean>;
  /** Whether the actor has an account and the rights with which it began. */
  readonly keepsRights: (context: Context, actor: Actor) => Promise<boolean>;
  /** Validates each reply against its schema; in tests and development. */
  readonly checkReplies: boolean;
  /** How long a file may wait for its reader. */
  readonly unreadMs?: number;
  /** How often the rights of the reader of a file are read again. */
  readonly rightsMs?: number;
}

type AnyHandler = (call: Record<string, unknown>) => unknown;

/** Puts every endpoint of a tree on the server: access, validation, handler, reply, in this order. */
export function mount<T extends Tree>(
  server: FastifyInstance,
  tree: T,
  handlers: Handlers<T>,
  mounting: Mounting,
): void {
  const uploads: RouteOptions[] = [];
  for (const [name, endpoint] of endpoints(tree)) {
    const handler = name
      .split('.')
      .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], handlers) as AnyHandler;
    const route = routeOf(endpoint, handler, mounting);
    if (endpoint.upload) uploads.push(route);
    else server.route(route);
  }
  // The multipart plugin adds hooks to each request, so only routes with an upload get it.
  void server.register(async scope => {
    await scope.register(multipart);
    // The parts are read from the connection itself. Compressed ones would have no end for it.
    scope.addHook('onRequest', async ({ headers }) => {
      if (!['identity', undefined].includes(headers['content-encoding'])) throw new AppError('unsupported_media');
    });
    for (const route of uploads) scope.route(route);
  });
}

/** Who sent a request, for the log of refused calls. */
export const callers = new WeakMap<FastifyRequest, Pick<Actor, 'tenantId' | 'userId' | 'tokenId'>>();

interface Admitted {
  readonly context: Context;
  readonly actor: Actor | undefined;
}

function routeOf(endpoint: Endpoint, handler: AnyHandler, mounting: Mounting): RouteOptions {
  const enter = async (request: FastifyRequest, reply: FastifyReply): Promise<Admitted> => {
    const context = await mounting.context(request, reply);
    return { context, actor: await admit(endpoint, context, mounting) };
  };
  // Before the body is parsed, so that a stranger's body costs nothing. A call without a body needs no second promise.
  const early = endpoint.method !== 'GET' && endpoint.access !== 'public';
  const admitted = new WeakMap<FastifyRequest, Admitted>();
  const repeatable = takesIdempotencyKey(endpoint);
  return {
    method: endpoint.method,
    url: endpoint.path,
    ...bodyLimitOf(endpoint),
    config: { access: endpoint.access },
    ...(early && {
      onRequest: async (request, reply) => {
        admitted.set(request, await enter(request, reply));
      },
    }),
    handler: async (request, reply) => {
      const who = admitted.get(request) ?? (await enter(request, reply));
      return answer(request, reply, who).catch(error => stillSignedIn(error, who, mounting));
    },
  };

  async function answer(request: FastifyRequest, reply: FastifyReply, { context, actor }: Admitted): Promise<unknown> {
    const file = endpoint.upload ? await readUpload(request, endpoint.upload.maxBytes) : undefined;
    const parts = validate(endpoint, request, context, file);
    if (isFileCall(endpoint, parts['query'])) takePlace(context, actor);
    const work = (inTenant = context.inTenant) =>
      handler({ ...context, inTenant, ...parts, actor, file: file?.upload });
    const key = repeatable && actor ? idempotencyKey(request, actor) : undefined;
    if (key === undefined || !actor)
      return send(endpoint, reply, guard(await work(), { context, actor }, mounting), mounting);
    const fields = file ? file.fields : request.body;
    const mayHave = (rights: Rights) => stillHas(actor, rights);
    const { status, text } = await once(
      context,
      actor,
      { key, fields, file: file?.upload, mayHave },
      async inTenant => ({
        status: statusOf(endpoint),
        text: textOf(endpoint, await work(inTenant), mounting),
      }),
    );
    void reply.code(status);
    return text ? reply.type('application/json; charset=utf-8').send(text) : reply.send();
  }
}

/**
 * Throws a 401 in place of a failure if the caller's sign-in ended while the request was read or done: then the account, or
 * a row of it, was deleted, and the work missed it.
 */
async function stillSignedIn(error: unknown, { context, actor }: Admitted, { actor: find }: Mounting): Promise<never> {
  const failed = !(error instanceof AppError || error instanceof FieldsError || isUnavailable(error));
  if (actor && failed) await find(context);
  throw error;
}

function bodyLimitOf({ upload, access }: Endpoint): { bodyLimit?: number } {
  if (upload) return { bodyLimit: upload.maxBytes + 65_536 };
  return access === 'public' ? { bodyLimit: maxBytesBeforeSignIn } : {};
}

/** Lets the caller in, or throws: 401 unknown, 404 for a location out of sight, 403 without the permission. */
async function admit(endpoint: Endpoint, context: Context, mounting: Mounting): Promise<Actor | undefined> {
  const actor = await mounting.actor(context);
  if (endpoint.access === 'public') return actor;
  if (!actor) throw new AppError('not_signed_in');
  callers.set(context.request, actor);
  const locationId = endpoint.location && (context.request.params as Record<string, string>)[endpoint.location];
  if (locationId !== undefined && !(await mounting.reaches(context, actor, locationId))) throw notFound();
  if (!allows(actor, endpoint.access, locationId)) throw new AppError('not_allowed');
  return actor;
}

function validate(
  endpoint: Endpoint,
  request: FastifyRequest,
  context: Context,
  file: { fields: Record<string, string>; upload: Upload } | undefined,
): Record<string, unknown> {
  const raw = {
    params: request.params,
    query: foldLists(request.query as Record<string, unknown>),
    body: file ? file.fields : (request.body ?? {}),
  };
  const out: Record<string, unknown> = {};
  const issues: z.core.$ZodIssue[] = [];
  for (const part of ['params', 'query', 'body'] as const) {
    const schema = endpoint[part];
    if (!schema) continue;
    const bad = unstorable(raw[part]);
    if (bad !== undefined) {
      if (part === 'params') throw notFound();
      throw new AppError('invalid', { fields: { [bad || 'body']: isTooDeep(raw[part]) ? 'invalid' : 'plain_text' } });
    }
    const result = schema.safeParse(raw[part], { reportInput: true });
    if (result.success)
      out[part] =
        part === 'body'
          ? onlySent(schema, result.data, raw.body)
          : withPageSize(result.data as Record<string, unknown>);
    // A malformed id is an id that does not exist.
    else if (part === 'params') throw notFound();
    // A list in a query is one field: the error names the list, not its element.
    else if (part === 'query')
      issues.push(...result.error.issues.map(issue => ({ ...issue, path: issue.path.slice(0, 1) })));
    else issues.push(...result.error.issues.map(issue => asMissing(issue, raw[part])));
  }
  if (issues.length) throw new FieldsError(fieldErrors(issues, context.language));
  return out;
}

/** The query of a list with its page size in `per_page`, if the caller sent it as `size`. */
function withPageSize(sent: Record<string, unknown>): Record<string, unknown> {
  if (sent['size'] === undefined || !('per_page' in sent)) return sent;
  const { size, ...query } = sent;
  return { ...query, per_page: size };
}

/** Reports a missing field as missing, and not as the `NaN` or the text that its schema coerces it to. */
function asMissing(issue: z.core.$ZodIssue, body: unknown): z.core.$ZodIssue {
  const sent = issue.path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | null)?.[key], body);
  if (issue.code === 'custom' || (sent !== undefined && sent !== null)) return issue;
  return { code: 'invalid_type', expected: 'nonoptional', input: undefined, path: issue.path, message: issue.message };
}

/** A 422 whose messages are translated already. */
export class FieldsError extends Error {
  readonly errors: Record<string, string[]>;
  constructor(errors: Record<string, string[]>) {
    super('invalid');
    this.errors = errors;
  }
}

/** Reads `a[]=1&a[]=2` as `a=1&a=2`, and ignores `a=`, because forms send empty filters too. */
function foldLists(query: Record<string, unknown>): Record<string, unknown> {
  const folded: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(query)) {
    if (value === '') continue;
    const plain = key.endsWith('[]') ? key.slice(0, -2) : key;
    folded[plain] = plain in folded ? [folded[plain], value].flat() : value;
  }
  return folded;
}

const isFile = (result: unknown): result is FileChunks =>
  typeof result === 'object' && result !== null && Symbol.asyncIterator in result;

/** A file is read for minutes, in which its reader may lose the rights to it. */
function guard(result: unknown, { context, actor }: Admitted, { keepsRights, rightsMs = 1000 }: Mounting): unknown {
  return actor && isFile(result) ? guarded(result, () => keepsRights(context, actor), rightsMs) : result;
}

async function sendFile(reply: FastifyReply, file: FileChunks, { unreadMs = 60_000 }: Mounting): Promise<FastifyReply> {
  const begun = await begin(file);
  endUnread(reply, unreadMs);
  return reply.send(Readable.from(begun));
}
const sendCsv = (reply: FastifyReply, file: FileChunks, mounting: Mounting): Promise<FastifyReply> =>
  sendFile(reply.type('text/csv; charset=utf-8'), file, mounting);

function send(endpoint: Endpoint, reply: FastifyReply, result: unknown, mounting: Mounting): unknown {
  if (reply.sent) return reply;
  if (endpoint.csvDownload && isFile(result)) return sendCsv(reply, result, mounting);
  switch (endpoint.reply) {
    case 'none':
      return reply.code(statusOf(endpoint)).send();
    case 'text':
      return reply.type('text/plain; charset=utf-8').send(result);
    case 'html':
      return reply.type('text/html; charset=utf-8').send(result);
    case 'csv':
      return sendCsv(reply, result as FileChunks, mounting);
    case 'file':
      return sendFile(reply, result as FileChunks, mounting);
    case 'events':
      return reply
        .type('text/event-stream; charset=utf-8')
        .header('cache-control', 'no-store')
        .header('x-accel-buffering', 'no')
        .send(Readable.from(result as AsyncIterable<string>));
    default:
      return reply
        .code(endpoint.creates && reply.statusCode === 201 ? 201 : statusOf(endpoint))
        .type('application/json; charset=utf-8')
        .send(textOf(endpoint, result, mounting));
  }
}

const statusOf = ({ status, reply }: Endpoint): number => status ?? (reply === 'none' ? 204 : 200);

/** The JSON of a reply; empty for one without content. */
function textOf({ reply }: Endpoint, result: unknown, { checkReplies }: Mounting): string {
  if (typeof reply === 'string') return '';
  return JSON.stringify(checkReplies ? reply.parse(result) : result);
}

/** The translated error reply for anything thrown; `body`: that of the request. */
export function refusalOf(thrown: unknown, language: 'tr' | 'en', body?: unknown): Refusal {
  const taken = takenField(thrown, body);
  const error = taken === undefined ? thrown : invalid({ [taken]: 'taken' });
  if (error instanceof FieldsError) {
    const base = refusal(new AppError('invalid'), language);
    return { ...base, body: { ...base.body, errors: error.errors } };
  }
  const base = refusal(error, language);
  if (error instanceof AppError && error.fields) {
    const errors = Object.entries(error.fields).map(([field, problem]) => {
      const [key, values] = typeof problem === 'string' ? [problem, undefined] : problem;
      return [field, [say(key, language, values)]] as [string, string[]];
    });
    const { current } = error;
    return { ...base, body: { ...base.body, errors: Object.fromEntries(errors), ...(current && { current }) } };
  }
  return base;
}
