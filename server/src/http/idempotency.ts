import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { steadyNow } from '#lib/steady-clock.ts';
import type { Actor } from './actor.ts';
import { AppError, invalid } from './app-error.ts';
import type { Context, Upload } from './call.ts';
import * as queries from './idempotency.queries.ts';
import { type Rights, rightsOf } from './rights.ts';

const maxLength = 64;
const waitMs = 10_000;
const checkMs = 100;
/** Several of these fit into the minute after which an attempt counts as dead. */
const aliveMs = 15_000;

/** The parts of a request that an idempotent reply needs. */
interface Request extends Pick<Context, 'app' | 'inTenant'> {
  readonly request: { readonly url: string };
  readonly reply: { header(name: string, value: string): unknown };
}

export interface TextAnswer {
  readonly status: number;
  readonly text: string;
}

/**
 * The key of a request; undefined without one. A personal token has keys of its own. A token with few permissions, or for one
 * location, must not get answers to its owner's other tokens and sign-ins. Those share their keys, because a request may be
 * repeated after a new sign-in.
 */
export function idempotencyKey(
  { headers }: FastifyRequest,
  { scopes, tokenId }: Pick<Actor, 'scopes' | 'tokenId'>,
): string | undefined {
  const key = headers['idempotency-key'];
  if (typeof key !== 'string' || key === '') return undefined;
  if (key.length > maxLength) throw invalid({ 'Idempotency-Key': ['string_max', { limit: maxLength }] });
  return scopes ? `${tokenId} ${key}` : key;
}

/** The order of the keys of an object means nothing, and some programs change it from one attempt to the next. */
const inOrder = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;

/** Tells requests apart by path, query, body and file. Keyed, because a body may be easy to guess. */
function hashOf({ app, request }: Request, file: Upload | undefined, fields: unknown): Buffer {
  const hash = createHash('sha256').update(`${request.url}\n${JSON.stringify(fields ?? null, inOrder)}\n`);
  if (file) hash.update(file.bytes);
  return app.secrets.index(hash.digest('hex'));
}

type InTenant = Context['inTenant'];

/** Transactions that note what they commit, and that cannot commit once another attempt has the key. */
const noting =
  (inTenant: InTenant, at: queries.Attempt): InTenant =>
  work =>
    inTenant(async tx => {
      const result = await work(tx);
      if (!(await queries.noteWork(tx, at))) throw new AppError('conflict');
      return result;
    });

/**
 * Does the work of a request once per key and user within 24 hours, also across processes. A repeated request gets the first
 * answer, if the user may still have it. A refused request did nothing, so its key is free again. The work has no time limit.
 * If it fails or its process dies, the request can be sent again at once; after a minute if the process lost only its way to
 * the database. A request that committed something is never done again.
 */
export async function once(
  context: Request,
  actor: Actor,
  it: {
    readonly key: string;
    readonly fields: unknown;
    readonly file: Upload | undefined;
    /** Whether the user may have the answer to a request that it made with these rights. */
    readonly mayHave: (rights: Rights) => boolean;
    readonly aliveMs?: number;
  },
  work: (inTenant: InTenant) => Promise<TextAnswer>,
): Promise<TextAnswer> {
  const { app, inTenant, reply } = context;
  const at = { userId: actor.userId, key: it.key };
  const request = hashOf(context, it.file, it.fields);
  const rights = rightsOf(actor);
  let attempt = 1;
  for (const until = steadyNow() + waitMs; ; await sleep(checkMs)) {
    if (await inTenant(tx => queries.takeKey(tx, at, { request, rights, process: app.changes.process }))) break;
    const stored = await inTenant(tx => queries.findReply(tx, at));
    if (!stored) continue;
    if (!stored.request.equals(request)) throw new AppError('key_reused');
    if (stored.rights && !it.mayHave(stored.rights)) throw new AppError('not_allowed');
    if (stored.status !== null) {
      void reply.header('idempotency-replayed', 'true');
      return { status: stored.status, text: app.secrets.decrypt(stored.reply ?? '') };
    }
    const taken = await inTenant(tx => queries.takeOver(tx, at, app.changes.process));
    if (taken === 'done') throw new AppError('answer_lost');
    if (taken !== undefined) {
      attempt = taken;
      break;
    }
    if (steadyNow() > until) throw new AppError('in_progress');
  }
  const mine = { ...at, attempt };
  const alive = setInterval(
    () => void inTenant(tx => queries.keepKey(tx, mine, app.changes.process)).catch(() => undefined),
    it.aliveMs ?? aliveMs,
  );
  const answer = await work(noting(inTenant, mine))
    .finally(() => clearInterval(alive))
    .catch(async (error: unknown) => {
      const free = error instanceof AppError ? queries.freeKey : queries.freeUnlessDone;
      await inTenant<unknown>(tx => free(tx, mine)).catch(() => undefined);
      throw error;
    });
  await inTenant(tx => queries.storeReply(tx, mine, answer.status, app.secrets.encrypt(answer.text)));
  return answer;
}
