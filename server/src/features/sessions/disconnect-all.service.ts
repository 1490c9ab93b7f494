import pLimit from 'p-limit';
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
 * afterwards, or record them. Before the deletion, while the last reports of the sessions are still taken. A router that
 * does not answer is asked once, and a slow one as long as the caller waits.
 */
export async function disconnectGuests(
  { app, inTenant }: Context,
  { reach }: Actor,
  at: { readonly deviceIds: readonly string[] } | { readonly locationId: string },
): Promise<void> {
  const targets = await inTenant(tx => listTargets(tx, reach, at));
  const until = steadyNow() + longestMs - app.settings.COA_TIMEOUT * 1000;
  const limit = pLimit(atOnce);
  /** False if the router is not to be asked about more sessions. */
  const ask = (target: CommandTarget): Promise<boolean> =>
    limit(async () => steadyNow() < until && (await send(app, target)).state !== 'no-answer');
  const routers = Map.groupBy(targets, it => it.device_id);
  await Promise.all(
    [...routers.values()].map(async ([first, ...others]) => {
      if (!first || !(await ask(first))) return;
      const next = others.values();
      const work = async (): Promise<void> => {
        for (const target of next) if (!(await ask(target))) return;
      };
      await Promise.all(Array.from({ length: atOnceOfRouter }, work));
    }),
  );
}
