import type { Tx } from '#db/tenant.ts';
import { commandForVisitors, sendSoon, type VisitorEvent } from '#features/sessions/public.ts';
import type { Actor } from '#http/actor.ts';
import type { Context } from '#http/call.ts';

/** Queues the commands for the running sessions of a changed visitor. Returns their number. */
export const queueCommands = (
  tx: Tx,
  actor: Actor,
  visitorId: string,
  event: VisitorEvent = 'changed',
): Promise<number> => commandForVisitors(tx, { visitorIds: [visitorId], event, userId: actor.userId });

/** Sends the commands; call it after the commit. */
export function sendCommands({ app }: Pick<Context, 'app'>, count: number): void {
  if (count) sendSoon(app);
}
