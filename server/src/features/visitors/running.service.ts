import type { Tx } from '#db/tenant.ts';
import { orderForVisitor, sendWaitingKicks, type VisitorTurn } from '#features/sessions/public.ts';
import type { Actor } from '#http/actor.ts';
import type { Context } from '#http/call.ts';

/** Writes down what the running sessions of a visitor are to be told; answers how many there are. */
export const order = (tx: Tx, actor: Actor, visitorId: string, turn: VisitorTurn = 'changed'): Promise<number> =>
  orderForVisitor(tx, { visitorId, turn, userId: actor.userId });

/** Sends what was ordered, once the change is committed; the job that looks for what is left does so too. */
export function tellRouters({ app }: Pick<Context, 'app'>, orders: number): void {
  if (orders) sendWaitingKicks(app).catch((error: unknown) => app.log.error({ err: error }, 'orders wait for the job'));
}
