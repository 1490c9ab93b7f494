import type { Actor } from '#http/actor.ts';
import type { Context } from '#http/call.ts';
import { listTargets } from './session-commands.queries.ts';
import { send } from './sessions.service.ts';

/** How many sessions of a router are ended at the same time. */
const atOnce = 20;

/**
 * Asks the routers of devices that are about to be deleted to end their sessions (RFC 5176), because nothing could end them
 * afterwards, or record them. Before the deletion, while the last reports of the sessions are still taken. A router that
 * does not answer is asked once.
 */
export async function disconnectGuests(
  { app, inTenant }: Context,
  { reach }: Actor,
  at: { readonly deviceIds: readonly string[] } | { readonly locationId: string },
): Promise<void> {
  const targets = await inTenant(tx => listTargets(tx, reach, at));
  const routers = Map.groupBy(targets, it => it.device_id);
  await Promise.all(
    [...routers.values()].map(async ([first, ...others]) => {
      if (!first || (await send(app, first)).state === 'no-answer') return;
      const next = others.values();
      const work = async (): Promise<void> => {
        for (const target of next) if ((await send(app, target)).state === 'no-answer') return;
      };
      await Promise.all(Array.from({ length: atOnce }, work));
    }),
  );
}
