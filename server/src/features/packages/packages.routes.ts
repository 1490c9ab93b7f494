import { withChange, withLanguages } from '@portico/contract/change.ts';
import type { Language } from '@portico/contract/errors.ts';
import {
  type PackageChange,
  type PackageForm,
  type packagesApi,
  packageTexts,
  type SoldPackage,
} from '@portico/contract/packages.ts';
import type { Tx } from '#db/tenant.ts';
import { audit } from '#features/audit/public.ts';
import { chooseLocation } from '#features/locations/public.ts';
import { findPrice } from '#features/profiles/public.ts';
import { type Actor, listScope } from '#http/actor.ts';
import { found, foundAgain, invalid } from '#http/app-error.ts';
import type { Handlers } from '#http/call.ts';
import { completeForm } from '#http/complete-form.ts';
import { paged } from '#http/page.ts';
import { newId } from '#lib/ids.ts';
import * as queries from './packages.queries.ts';

export const packagesRoutes: Handlers<typeof packagesApi> = {
  list: async call => {
    const scope = listScope(call.actor, call.query);
    return paged(call, await call.read(tx => queries.listPackages(tx, scope, call.query)));
  },
  create: async ({ actor, body, inTenant }) => ({ data: await inTenant(tx => createPackage(tx, actor, body)) }),
  update: async ({ actor, params, body, language, inTenant }) => ({
    data: await inTenant(tx => updatePackage(tx, actor, { id: params.id, change: body, language })),
  }),
  delete: ({ actor, params, inTenant }) => inTenant(tx => deletePackage(tx, actor, params.id)),
};

const subjectOf = ({ id, name }: SoldPackage) => ({
  type: 'package' as const,
  id,
  name: Object.values(name).find(Boolean) ?? '',
});

/** Paid days end, which those of a profile without a price would not. */
async function requirePaid(tx: Tx, locationId: string, profileId: string): Promise<void> {
  const profile = await findPrice(tx, locationId, profileId);
  if (!profile) throw invalid({ profile_id: 'unknown' });
  if (!profile.paid_sale.is_active) throw invalid({ profile_id: 'profile_free' });
}

async function createPackage(tx: Tx, actor: Actor, form: PackageForm): Promise<SoldPackage> {
  const locationId = await chooseLocation(tx, actor, form.location_id);
  await requirePaid(tx, locationId, form.profile_id);
  const id = newId();
  await queries.insertPackage(tx, id, { ...form, location_id: locationId });
  const made = found(await queries.findPackage(tx, actor.reach, id));
  await audit(tx, actor, { verb: 'create', subject: subjectOf(made), locationId, after: form });
  return made;
}

async function updatePackage(
  tx: Tx,
  actor: Actor,
  sent: { id: string; change: PackageChange; language: Language },
): Promise<SoldPackage> {
  const { id } = sent;
  const before = found(await queries.findPackage(tx, actor.reach, id, 'lock'));
  const { name, description } = sent.change;
  const texts = {
    name: withLanguages(before.name, name),
    description: withLanguages(before.description, description),
  };
  const change = { ...sent.change, ...completeForm(packageTexts, texts, sent.language) };
  const wanted = withChange(before, change);
  if (wanted.min_days > wanted.max_days) throw invalid({ max_days: 'max_days' });
  const locationId = before.location_id;
  if (change.profile_id) await requirePaid(tx, locationId, change.profile_id);
  await queries.updatePackage(tx, id, change);
  const after = found(await queries.findPackage(tx, actor.reach, id));
  await audit(tx, actor, { verb: 'update', subject: subjectOf(after), locationId, before, after });
  return after;
}

async function deletePackage(tx: Tx, actor: Actor, id: string): Promise<void> {
  const it = found(await queries.findPackage(tx, actor.reach, id, 'lock'));
  foundAgain(await queries.deletePackage(tx, id));
  await audit(tx, actor, { verb: 'delete', subject: subjectOf(it), locationId: it.location_id, before: it });
}
