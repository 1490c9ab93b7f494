import type { Language } from '@portico/contract/errors.ts';
import {
  type Profile,
  type ProfileChange,
  type ProfileForm,
  profileForm,
  type profilesApi,
  profileUses,
  sessionLimits,
} from '@portico/contract/profiles.ts';
import type { Tx } from '#db/tenant.ts';
import { audit } from '#features/audit/public.ts';
import { chooseLocation, setDefaultProfile } from '#features/locations/public.ts';
import { commandForProfile, sendSoon } from '#features/sessions/public.ts';
import { type Actor, listScope } from '#http/actor.ts';
import { AppError, found, foundAgain, invalid } from '#http/app-error.ts';
import type { Handlers } from '#http/call.ts';
import { completeForm, completeLimits } from '#http/complete-form.ts';
import { findByExternalId } from '#http/external-id.ts';
import { paged } from '#http/page.ts';
import { requireSameLocation } from '#http/same-location.ts';
import { newId } from '#lib/ids.ts';
import * as queries from './profiles.queries.ts';

export const profilesRoutes: Handlers<typeof profilesApi> = {
  list: async call => {
    const scope = listScope(call.actor, call.query);
    return paged(call, await call.read(tx => queries.listProfiles(tx, scope, call.query)));
  },
  create: async ({ actor, body, inTenant }) => ({ data: await inTenant(tx => createProfile(tx, actor, body)) }),
  update: async call => {
    const data = await call.inTenant(tx => updateProfile(tx, call, call.params.id, call.body));
    sendSoon(call.app);
    return { data };
  },
  putByExternalId: async call => {
    const { made, data } = await call.inTenant(tx => putProfile(tx, call, call.params.externalId));
    if (made) call.reply.code(201);
    else sendSoon(call.app);
    return { data };
  },
  delete: async ({ app, actor, language, params, query, inTenant }) => {
    await inTenant(tx => deleteProfile(tx, actor, { id: params.id, replacement: query.replacement_id, language }));
    sendSoon(app);
  },
};

const subjectOf = ({ id, name }: Profile) => ({ type: 'profile' as const, id, name });

export async function createProfile(tx: Tx, actor: Actor, form: ProfileForm, externalId?: string): Promise<Profile> {
  const { location_id, is_default, ...values } = form;
  const locationId = await chooseLocation(tx, actor, location_id);
  const id = newId();
  await queries.insertProfile(tx, id, locationId, values);
  if (externalId) await queries.setExternalId(tx, id, externalId);
  if (is_default) await setDefaultProfile(tx, locationId, id);
  const made = found(await queries.findProfile(tx, actor.reach, id));
  await audit(tx, actor, { verb: 'create', subject: subjectOf(made), locationId, after: form });
  return made;
}

/** Creates the profile with an id of another system, or changes the one in the location where it would be created. */
async function putProfile(
  tx: Tx,
  { actor, language, body }: { actor: Actor; language: Language; body: ProfileChange },
  externalId: string,
): Promise<{ made: boolean; data: Profile }> {
  const locationId = await chooseLocation(tx, actor, body.location_id);
  const rows = queries.ofExternalId(actor.reach, externalId, locationId);
  const known = await findByExternalId(tx, 'profiles', externalId, rows);
  if (known === undefined) {
    const form = completeForm(profileForm, body, language);
    return { made: true, data: await createProfile(tx, actor, form, externalId) };
  }
  const { location_id: _, ...change } = body;
  return { made: false, data: await updateProfile(tx, { actor, language }, known, change) };
}

/** Running sessions get the changed limits at once. */
async function updateProfile(
  tx: Tx,
  { actor, language }: { actor: Actor; language: Language },
  id: string,
  sent: ProfileChange,
): Promise<Profile> {
  const before = found(await queries.findProfile(tx, actor.reach, id, 'lock'));
  const change = completeLimits(profileForm, { stored: before, change: sent, language });
  const { is_default = before.is_default, location_id, ...values } = change;
  requireSameLocation(location_id, before);
  await queries.updateProfile(tx, id, values);
  if (is_default !== before.is_default) await setDefaultProfile(tx, before.location_id, is_default ? id : null);
  const after = found(await queries.findProfile(tx, actor.reach, id));
  if (limitsDiffer(before, after)) await commandForProfile(tx, { profileId: id, userId: actor.userId });
  await audit(tx, actor, { verb: 'update', subject: subjectOf(after), locationId: after.location_id, before, after });
  return after;
}

/** True when a limit changed that running sessions are held to. */
const limitsDiffer = (before: Profile, after: Profile): boolean =>
  sessionLimits.some(key => JSON.stringify(before[key]) !== JSON.stringify(after[key]));

/** A profile that is in use is deleted only when another one of the same location replaces it. */
async function deleteProfile(
  tx: Tx,
  actor: Actor,
  { id, replacement, language }: { id: string; replacement: string | undefined; language: Language },
): Promise<void> {
  await queries.findProfile(tx, actor.reach, id, 'lock');
  // Read again, because the counts of the first query are from before it got the lock.
  const profile = found(await queries.findProfile(tx, actor.reach, id));
  const by = profileUses(profile, language);
  if (replacement !== undefined) {
    const other = replacement === id ? undefined : await queries.findProfile(tx, actor.reach, replacement);
    if (other?.location_id !== profile.location_id) throw invalid({ replacement_id: 'unknown' });
    await queries.replaceProfile(tx, id, replacement);
    await commandForProfile(tx, { profileId: replacement, userId: actor.userId });
  } else if (by) throw new AppError('in_use', { values: { by } });
  foundAgain(await queries.deleteProfile(tx, id));
  const locationId = profile.location_id;
  await audit(tx, actor, { verb: 'delete', subject: subjectOf(profile), locationId, after: { replacement } });
}
