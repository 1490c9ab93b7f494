import sql from 'sql-template-tag';
import type { Actor } from '#http/actor.ts';
import { AppError } from '#http/app-error.ts';
import type { App } from '#lib/app.ts';
import { endSession } from '../sessions.service.ts';
import { answers, type CoaRouter } from './coa-router.ts';
import { macOf, userOf } from './model.ts';
import type { Kick } from './venue.ts';

interface Where {
  readonly operator: Actor;
  readonly coa: CoaRouter;
  readonly devices: readonly { readonly id: string }[];
}

/** An operator ends the session in the panel, be it open or over. Returns the state that the panel shows. */
export async function kick(
  app: App,
  { operator, coa, devices }: Where,
  it: Kick,
  madeClass: string | undefined,
): Promise<string> {
  const named = sql`device_id = ${devices[it.router]!.id} and acct_session_id = ${it.id} and user_name = ${userOf(it.guest)}
    and client_mac is not distinct from ${macOf(it.guest)}::macaddr and class is not distinct from ${madeClass ?? null}`;
  const session = await app.db.withTenant(operator.tenantId, tx =>
    tx.maybe<{ id: string }>(sql`
      select id from (
        select id, 0 as over, started_at from online_sessions where ${named}
        union all select id, 1, started_at from session_history where ${named}) s
      order by over, started_at desc limit 1`),
  );
  if (!session) return 'none';
  coa.reply = it.answer === 'no-answer' ? undefined : answers[it.answer];
  try {
    return (await endSession(app, operator, session.id)).state;
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return 'none';
    throw error;
  }
}
