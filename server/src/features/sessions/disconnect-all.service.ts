import pLimit from 'p-limit';
import { refuseGuests } from '#features/devices/public.ts';
import type { Actor } from '#http/actor.ts';
import type { Context } from '#http/call.ts';
import { steadyNow } from '#lib/steady-clock.ts';
import { type CommandTarget, listTargets } from './session-commands.queries.ts';
import { send } from './sessions.service.ts';

/** How many sessions of a router are ended at the same time. */
const atOnceOfRouter = 20;
/** How many of all routers. Each takes a socket, and a location may have a thousand routers. */
const atOnce = 400;
/** Proxies wait a minute for an answer, and then send a deletion again. */
const longestMs = 50_000;

/**
 * Asks the routers of devices that are about to be deleted to end their sessions (RFC 5176), because nothing could end them
 * afterwards, or record them. Before the deletion, while the last reports of the sessions are still taken. From now on the
 * devices take no guests. A router that does not answer is asked once, and a slow one as long as the caller waits.
 */
export async function disconnectGuests(
  { app, inTenant }: Context,
  { tenantId, reach }: Actor,
  at: { readonly deviceIds: readonly string[] } | { readonly locationId: string },
): Promise<void> {
  // Nothing is deleted yet, so this is not the work of the request's Idempotency-Key: a lost request may be repeated.
  await app.db.withTenant(tenantId, tx => refuseGuests(tx, reach, at));
  const until = steadyNow() + longestMs - app.settings.COA_TIMEOUT * 1000;
  const limit = pLimit(atOnce);
  /** Routers that are not asked about more sessions. */
  const silent = new Set<string>();
  const ask = (target: CommandTarget): Promise<void> =>
    limit(async () => {
      if (silent.has(target.device_id)) return;
      if (steadyNow() >= until || (await send(app, target)).state === 'no-answer') silent.add(target.device_id);
    });
  const askRouter = async ([first, ...others]: readonly CommandTarget[]): Promise<void> => {
    if (!first) return;
    await ask(first);
    const next = others.values();
    const work = async (): Promise<void> => {
      for (const target of next) await ask(target);
    };
    await Promise.all(Array.from({ length: atOnceOfRouter }, work));
  };
  const asked = new Set<string>();
  // A guest who was let in just before is online a moment later, so the list is read until it has no new session.
  for (;;) {
    const open = await inTenant(tx => listTargets(tx, reach, at));
    const targets = open.filter(it => !asked.has(it.session_id) && !silent.has(it.device_id));
    if (!targets.length) return;
    for (const it of targets) asked.add(it.session_id);
    await Promise.all([...Map.groupBy(targets, it => it.device_id).values()].map(askRouter));
  }
}
