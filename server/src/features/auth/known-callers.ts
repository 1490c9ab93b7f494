import { type Actor, type ActorRow, actorOf } from '#http/actor.ts';
import type { Context, Guess } from '#http/call.ts';
import { createCache } from '#lib/cache.ts';
import { actorOfToken } from './auth.queries.ts';
import { bearerOf, hashToken } from './hash-token.ts';

interface Known {
  readonly row: ActorRow;
  /** What it was made of, as the database said it, to be held against what it says now. */
  readonly said: string;
  /** Asks the database that. */
  readonly question: ReturnType<typeof actorOfToken>;
  actor: Actor | undefined;
}
const known = createCache<string, Known>({ maxEntries: 5000 });
const keyOf = (tenantId: string, hash: Buffer): string => tenantId + hash.toString('base64');

/** Remembers what a token last stood for. */
export function rememberCaller(row: ActorRow, hash: Buffer, said: string): void {
  known.set(keyOf(row.tenant_id, hash), { row, said, question: actorOfToken(hash), actor: undefined });
}

/**
 * The caller as the token last stood for it, to ask for what it wants to see in the same round trip that asks whether
 * that still holds. What was read for anybody who is not quite the same any more is thrown away.
 */
export function guessCaller({ app, tenant, request }: Context): Guess | undefined {
  const token = bearerOf(request);
  if (!token) return undefined;
  const key = keyOf(tenant.id, hashToken(token));
  const it = known.get(key);
  if (!it) return undefined;
  let sure = false;
  const { ip } = request;
  if (it.actor?.ip !== ip) it.actor = actorOf(it.row, ip);
  return {
    actor: it.actor!,
    isSure: () => sure,
    read: work =>
      app.db.readTenant(tenant.id, async tx => {
        const asked = tx.json(it.question);
        const [{ text }, result] = await Promise.all([asked, (async () => work(tx))()]);
        sure = text === it.said;
        if (!sure) {
          known.delete(key);
          throw new Error('The caller is not who it was');
        }
        return result;
      }),
  };
}
