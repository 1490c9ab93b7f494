import type { PersonalToken, personalTokenForm } from '@portico/contract/tokens.ts';
import type { z } from 'zod';
import { audit } from '#features/audit/public.ts';
import { reachesLocation } from '#features/locations/public.ts';
import { type Actor, permissionsIn } from '#http/actor.ts';
import { AppError, found, foundAgain, invalid } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import { newId, randomToken } from '#lib/ids.ts';
import { hashToken } from './hash-token.ts';
import { requireSignIn } from './own-password.ts';
import * as queries from './personal-tokens.queries.ts';
import { mailSecurityChange } from './security-mail.ts';

/** Each is in one list that is not in pages. */
const most = 50;

const subject = ({ id, name }: { id: string; name: string }) => ({ type: 'token' as const, id, name });

/** Creates a token with at most the permissions of its owner. The token is shown once and stored as a hash. */
export async function createPersonalToken(
  context: Context,
  actor: Actor,
  form: z.output<typeof personalTokenForm>,
): Promise<PersonalToken & { token: string }> {
  const locationId = form.location_id ?? (actor.role === 'member' ? actor.activeLocationId : null);
  if (actor.role === 'member' && !locationId) throw invalid({ location_id: 'choose_location' });
  // The prefix lets scanners of leaked secrets recognise it.
  const token = `portico_${randomToken()}`;
  const id = newId();
  return context.inTenant(async tx => {
    await requireSignIn(tx, actor);
    if ((await queries.countPersonal(tx, actor.userId)) >= most)
      throw new AppError('tokens_enough', { values: { most } });
    if (locationId && !(await reachesLocation(tx, actor, locationId))) throw invalid({ location_id: 'unknown' });
    const held = permissionsIn(actor, locationId ?? undefined);
    if (form.permissions.some(it => !held.has(it))) throw invalid({ permissions: 'beyond_own' });
    const { name, days } = form;
    const scopes = [...new Set(form.permissions)];
    await queries.insertPersonal(tx, {
      id,
      userId: actor.userId,
      hash: hashToken(token),
      name,
      scopes,
      locationId,
      days,
    });
    await audit(tx, actor, {
      verb: 'create',
      subject: subject({ id, name }),
      locationId,
      after: { name, scopes, days },
    });
    await mailSecurityChange(tx, context, actor.userId, { change: 'token_created', detail: name });
    return { ...found(await queries.findPersonal(tx, actor.userId, id)), token };
  });
}

export async function deletePersonalToken({ inTenant }: Context, actor: Actor, id: string): Promise<void> {
  await inTenant(async tx => {
    const it = found(await queries.findPersonal(tx, actor.userId, id));
    foundAgain(await queries.deletePersonal(tx, actor.userId, id));
    await audit(tx, actor, { verb: 'delete', subject: subject(it), locationId: it.location?.id });
  });
}
