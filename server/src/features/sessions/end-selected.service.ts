import type { EndedSessions } from '@portico/contract/sessions.ts';
import { audit } from '#features/audit/public.ts';
import type { Actor } from '#http/actor.ts';
import { invalid } from '#http/app-error.ts';
import type { App } from '#lib/app.ts';
import { queueEnds } from './session-commands.queries.ts';
import { sendSoon } from './sessions.service.ts';

/**
 * Ends the selected sessions, with one entry per location in the audit log. Sessions end all the time, so one that ended since
 * it was selected is skipped.
 */
export async function endSelected(app: App, actor: Actor, ids: readonly string[]): Promise<EndedSessions> {
  const wanted = [...new Set(ids)];
  const told = await app.db.withTenant(actor.tenantId, async tx => {
    const open = await queueEnds(tx, actor.reach, { ids: wanted, userId: actor.userId });
    if (!open.length) throw invalid({ ids: 'selected_ended' });
    const queued = open.filter(it => it.queued);
    for (const [locationId, of] of Map.groupBy(queued, it => it.location_id)) {
      const after = { count: of.length };
      await audit(tx, actor, { verb: 'end', subject: { type: 'session', name: '' }, locationId, after });
    }
    return queued.length;
  });
  if (told) sendSoon(app);
  return { told, skipped: wanted.length - told };
}
