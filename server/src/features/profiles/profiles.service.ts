import type { Language } from '@portico/contract/errors.ts';
import type { Profile, ProfileForm } from '@portico/contract/profiles.ts';
import type { Tx } from '#db/tenant.ts';
import { audit } from '#features/audit/public.ts';
import { chooseLocation, setDefaultProfile } from '#features/locations/public.ts';
import type { Actor } from '#http/actor.ts';
import { AppError, found, foundAgain, invalid } from '#http/app-error.ts';
import { newId } from '#lib/ids.ts';
import * as queries from './profiles.queries.ts';

const subjectOf = ({ id, name }: Profile) => ({ type: 'profile' as const, id, name });

export async function createProfile(tx: Tx, actor: Actor, form: ProfileForm): Promise<Profile> {
  const { location_id, is_default, ...values } = form;
  const locationId = await chooseLocation(tx, actor, location_id);
  const id = newId();
  await queries.insertProfile(tx, id, locationId, values);
  if (is_default) await setDefaultProfile(tx, locationId, id);
  const made = found(await queries.findProfile(tx, actor.reach, id));
  await audit(tx, actor, { verb: 'create', subject: subjectOf(made), locationId, after: form });
  return made;
}

export async function updateProfile(
  tx: Tx,
  actor: Actor,
  id: string,
  form: Omit<ProfileForm, 'location_id'>,
): Promise<Profile> {
  const before = found(await queries.findProfile(tx, actor.reach, id));
  const { is_default = before.is_default, ...values } = form;
  await queries.updateProfile(tx, id, values);
  if (is_default !== before.is_default) await setDefaultProfile(tx, before.location_id, is_default ? id : null);
  const after = found(await queries.findProfile(tx, actor.reach, id));
  await audit(tx, actor, { verb: 'update', subject: subjectOf(after), locationId: after.location_id, before, after });
  return after;
}

const uses = {
  en: {
    visitors: (n: number) => `${n} visitor${n === 1 ? '' : 's'}`,
    networks: (n: number) => `${n} network${n === 1 ? '' : 's'}`,
    portals: (n: number) => `${n} portal${n === 1 ? '' : 's'}`,
    standard: 'default profile of the location',
  },
  tr: {
    visitors: (n: number) => `${n} ziyaretçi`,
    networks: (n: number) => `${n} ağ`,
    portals: (n: number) => `${n} portal`,
    standard: 'lokasyonun varsayılan profili',
  },
} satisfies Record<Language, unknown>;

/** A profile that somebody has goes only when its place is taken by another of the same location. */
export async function deleteProfile(
  tx: Tx,
  { actor, language }: { actor: Actor; language: Language },
  id: string,
  replacement: string | undefined,
): Promise<void> {
  const profile = found(await queries.findProfile(tx, actor.reach, id));
  const { visitors, networks, portals, is_default } = await queries.profileUses(tx, id);
  if (replacement !== undefined) {
    const other = replacement === id ? undefined : await queries.findProfile(tx, actor.reach, replacement);
    if (other?.location_id !== profile.location_id) throw invalid({ replacement_id: 'unknown' });
    await queries.replaceProfile(tx, id, replacement);
  } else if (visitors || networks || portals || is_default) {
    const say = uses[language];
    const by = [
      visitors && say.visitors(visitors),
      networks && say.networks(networks),
      portals && say.portals(portals),
      is_default && say.standard,
    ];
    throw new AppError('in_use', { values: { by: by.filter(Boolean).join(', ') } });
  }
  foundAgain(await queries.deleteProfile(tx, id));
  const locationId = profile.location_id;
  await audit(tx, actor, { verb: 'delete', subject: subjectOf(profile), locationId, after: { replacement } });
}
