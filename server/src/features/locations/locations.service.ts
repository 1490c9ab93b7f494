import {
  type Location,
  type LocationChoices,
  type LocationContents,
  type LocationForm,
  type licenseForm,
  locationForm,
  smsPackages,
} from '@portico/contract/locations.ts';
import { type Permission, permissions } from '@portico/contract/permissions.ts';
import type { z } from 'zod';
import type { Tx } from '#db/tenant.ts';
import { knowsZone } from '#db/time-zones.ts';
import { audit } from '#features/audit/public.ts';
import { type Actor, allows, isLimited, listScope, permissionsIn } from '#http/actor.ts';
import { AppError, found, foundAgain, invalid } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import { completeForm } from '#http/complete-form.ts';
import { checkExpected, expectedEnd } from '#http/expected-end.ts';
import { findByExternalId } from '#http/external-id.ts';
import type { App } from '#lib/app.ts';
import { newId } from '#lib/ids.ts';
import * as queries from './locations.queries.ts';

type Form = { [K in keyof LocationForm]?: LocationForm[K] | undefined };

/** A location may use its own portals and profiles, and those of the tenant. Others count as unknown. */
async function checkReferences(tx: Tx, actor: Actor, form: Form, before: Location | null): Promise<void> {
  const locationId = before?.id ?? null;
  if (form.portal_id && !(await queries.portalUsable(tx, actor, form.portal_id, locationId)))
    throw invalid({ portal_id: 'unknown' });
  if (form.default_profile_id && (!locationId || !(await queries.profileOf(tx, form.default_profile_id, locationId))))
    throw invalid({ default_profile_id: 'unknown' });
  await checkPeriods(tx, actor, locationId, form.portal_periods, before?.portal_periods);
  const { time_zone: zone } = form;
  if (zone && zone !== before?.time_zone && !(await knowsZone(tx, zone))) throw invalid({ time_zone: 'time_zone' });
}

/** Checks the portals of periods like `portal_id`. A period that was there before may keep its portal. */
export async function checkPeriods(
  tx: Tx,
  actor: Actor,
  locationId: string | null,
  periods: LocationForm['portal_periods'] = [],
  kept: Location['portal_periods'] = [],
): Promise<void> {
  const wrong = await queries.unusablePortal(tx, actor, locationId, periods, kept);
  if (wrong !== undefined) throw invalid({ [`portal_periods.${wrong}.portal_id`]: 'unknown' });
}

/** Empty texts are stored as empty text, because the address consists of them. A list contains each MAC once. */
function columnsOf(form: Form): Record<string, unknown> {
  const { country, city, district, mac_whitelist, mac_blacklist, portal_periods, ...rest } = form;
  const texts = Object.entries({ country, city, district }).filter(([, value]) => value !== undefined);
  const lists = Object.entries({ mac_whitelist, mac_blacklist }).filter(([, value]) => value !== undefined);
  return {
    ...rest,
    ...(portal_periods && { portal_periods: JSON.stringify(portal_periods) }),
    ...Object.fromEntries(texts.map(([key, value]) => [key, value ?? ''])),
    ...Object.fromEntries(lists.map(([key, value]) => [key, [...new Set(value)]])),
  };
}

const subjectOf = ({ id, name }: Location) => ({ type: 'location' as const, id, name });

export async function createLocation(
  tx: Tx,
  app: App,
  actor: Actor,
  form: LocationForm,
  externalId?: string,
): Promise<Location> {
  await checkReferences(tx, actor, form, null);
  checkSmsLimit(actor, undefined, form);
  checkSpeeds(form);
  const id = newId();
  await queries.insertLocation(tx, { id, name: form.name, ownerId: actor.userId, trialDays: app.settings.TRIAL_DAYS });
  await queries.updateLocation(tx, id, { ...columnsOf(form), ...(externalId && { external_id: externalId }) });
  const made = found(await queries.findLocation(tx, actor, id));
  await audit(tx, actor, { verb: 'create', subject: subjectOf(made), locationId: id, after: form });
  return made;
}

/** The location of a newly registered user, who owns it and has every permission in it. */
export async function createFirstLocation(tx: Tx, app: App, first: { ownerId: string; name: string }): Promise<string> {
  const id = newId();
  await queries.insertLocation(tx, {
    id,
    name: first.name,
    ownerId: first.ownerId,
    trialDays: app.settings.TRIAL_DAYS,
  });
  await queries.addManager(tx, { locationId: id, userId: first.ownerId, permissions });
  return id;
}

const macFields = ['mac_whitelist', 'mac_whitelist_enabled', 'mac_blacklist', 'mac_blacklist_enabled'] as const;

/** The MAC lists of a location apply to all its devices, so a change needs the permission to change devices. */
function checkMacLists(actor: Actor, before: Location, form: Form): void {
  const text = (value: unknown) => JSON.stringify(Array.isArray(value) ? [...new Set(value)].sort() : value);
  const changed = macFields.some(field => form[field] !== undefined && text(form[field]) !== text(before[field]));
  if (changed && (isLimited(actor) || !allows(actor, 'update-devices', before.id))) throw new AppError('not_allowed');
}

/** Messages cost money, so only tenant administrators and resellers choose the package. */
function checkSmsLimit(actor: Actor, before: Location | undefined, form: Form): void {
  if (form.sms_limit === undefined || form.sms_limit === before?.sms_limit) return;
  if (!actor.canCreateLocation) throw new AppError('not_allowed');
  if (!smsPackages.some(size => size === form.sms_limit))
    throw invalid({ sms_limit: ['choice', { values: smsPackages.join(', ') }] });
}

/** Routers take a speed of 0 for none. Stored while the limit is off, it does no harm. */
function checkSpeeds(form: Form, before?: Location): void {
  for (const name of ['download_limit', 'upload_limit'] as const) {
    const { [name]: speed = before?.[name], [`${name}_enabled` as const]: enabled = before?.[`${name}_enabled`] } =
      form;
    const sent = form[name] !== undefined || form[`${name}_enabled`] !== undefined;
    if (sent && enabled && speed === 0) throw invalid({ [name]: ['limit_range', { min: 0.01, max: 100_000 }] });
  }
}

export async function updateLocation(tx: Tx, actor: Actor, id: string, form: Form): Promise<Location> {
  // Accounting goes by the zone of the location, and locks its routers first.
  const zoneBefore = form.time_zone && (await queries.findLocation(tx, actor, id))?.time_zone;
  const changesZone = zoneBefore !== undefined && zoneBefore !== form.time_zone;
  if (changesZone) await queries.lockRoutersOf(tx, id);
  await queries.lockLocation(tx, id);
  const before = found(await queries.findLocation(tx, actor, id));
  await checkReferences(tx, actor, form, before);
  checkMacLists(actor, before, form);
  checkSmsLimit(actor, before, form);
  checkSpeeds(form, before);
  await queries.updateLocation(tx, id, columnsOf(form));
  if (changesZone) await queries.startNewHours(tx, id);
  const after = found(await queries.findLocation(tx, actor, id));
  await audit(tx, actor, { verb: 'update', subject: subjectOf(after), locationId: id, before, after });
  return after;
}

/** Creates the location with an id of another system, or changes it. That of a customer is not a tenant administrator's own. */
export async function putLocation(
  tx: Tx,
  { app, actor, body, language }: Context & { actor: Actor; body: Form },
  externalId: string,
): Promise<{ made: boolean; data: Location }> {
  const known = await findByExternalId(tx, 'locations', externalId, queries.ofExternalId(actor, externalId));
  if (known === undefined) {
    // It may be meant, or a new one may be. Our id says which.
    if (await queries.customerHasId(tx, actor, externalId)) throw invalid({ external_id: 'several' });
    if (!actor.canCreateLocation) throw new AppError('not_allowed');
    const data = await createLocation(tx, app, actor, completeForm(locationForm, body, language), externalId);
    return { made: true, data };
  }
  if (!allows(actor, 'update-location', known)) throw new AppError('not_allowed');
  return { made: false, data: await updateLocation(tx, actor, known, body) };
}

/** A location is deleted by its owner, a reseller or a tenant administrator, and by none of their personal tokens. */
const mayDelete = async (tx: Tx, actor: Actor, id: string): Promise<boolean> =>
  !actor.scopes && (actor.canCreateLocation || (await queries.isOwner(tx, id, actor.userId)));

export const contentsOf = async (tx: Tx, actor: Actor, id: string): Promise<LocationContents> => ({
  ...(await queries.locationContents(tx, id)),
  deletable: await mayDelete(tx, actor, id),
});

/** What the forms of a location offer, to those whose forms do. Their records may be hidden from them. */
export async function choicesOf(tx: Tx, actor: Actor, id: string): Promise<LocationChoices> {
  const held = permissionsIn(actor, id);
  const mayOne = (...keys: Permission[]) => keys.some(key => held.has(key));
  const [profiles, portals, devices] = await Promise.all([
    queries.profileChoices(tx, id),
    mayOne('view-portals', 'update-devices', 'update-location') ? queries.portalChoices(tx, actor, id) : [],
    mayOne('view-devices', 'update-location') ? queries.deviceChoices(tx, actor.reach, id) : [],
  ]);
  return { profiles, portals, devices };
}

/** Throws unless the actor may delete the location. */
export async function requireDeletable(tx: Tx, actor: Actor, id: string): Promise<void> {
  if (!(await mayDelete(tx, actor, id))) throw new AppError('not_allowed');
  found(await queries.findLocation(tx, actor, id));
}

export async function deleteLocation(tx: Tx, actor: Actor, id: string): Promise<void> {
  await requireDeletable(tx, actor, id);
  await queries.lockLocation(tx, id);
  // The audit entry cannot tell: the team is gone by then.
  if (actor.role === 'member' && !(await queries.isMember(tx, id, actor.userId))) throw new AppError('not_allowed');
  const before = found(await queries.findLocation(tx, actor, id));
  foundAgain(await queries.deleteLocation(tx, id));
  const { name, city, country } = before;
  await audit(tx, actor, {
    verb: 'delete',
    subject: subjectOf(before),
    locationId: id,
    before: { name, city, country },
  });
}

export async function licenseLocation(
  tx: Tx,
  actor: Actor,
  id: string,
  license: z.output<typeof licenseForm>,
): Promise<Location> {
  await queries.lockLocation(tx, id);
  const before = found(await queries.findLocation(tx, actor, id));
  const { license_end_at: endAt, year = 1 } = license;
  checkExpected(expectedEnd(license.expected_end_at, before.license_end_at));
  if (!(await queries.licenseLocation(tx, id, endAt ? { endAt } : { years: year })))
    throw invalid({ license_end_at: 'past' });
  const after = found(await queries.findLocation(tx, actor, id));
  await audit(tx, actor, { verb: 'update', subject: subjectOf(after), locationId: id, before, after });
  return after;
}

/** Years that were paid online. They begin at the later of now and the end of the licence. */
export async function addLicenceYears(
  tx: Tx,
  id: string,
  years: number,
): Promise<{ before: string | null; after: string }> {
  const { before, after } = await queries.moveLicence(tx, id, years);
  return { before, after: found(after ?? undefined) };
}

/** Years that were paid back. */
export const takeLicenceYears = (tx: Tx, id: string, years: number) => queries.moveLicence(tx, id, -years);

/**
 * The actor as one who sees only the locations that a query names, as if these were the active team. Other locations give an
 * empty list. `location_id` may lie outside the active team.
 */
export async function actorIn(
  tx: Tx,
  actor: Actor,
  { location_id, locationIds }: { location_id?: string | undefined; locationIds?: readonly string[] | undefined },
): Promise<Actor> {
  if (!location_id && !locationIds) return actor;
  const from = listScope(actor, { location_id });
  const asked = location_id ? [location_id].filter(id => locationIds?.includes(id) ?? true) : locationIds!;
  const places = await queries.placesWithin(tx, from, asked);
  const [only] = places.length === 1 ? places : [];
  return {
    ...actor,
    scope: {
      kind: 'locations',
      ids: places.map(({ id }) => id),
      deviceIds: from.kind === 'locations' ? from.deviceIds : null,
    },
    activeLocationId: only?.id ?? actor.activeLocationId,
    timeZone: only?.time_zone ?? actor.timeZone,
  };
}

/**
 * The location of a new object: the requested one, else the active team, else the only one. Throws 422 if there is none, or if
 * the actor may not see it.
 */
export async function chooseLocation(tx: Tx, actor: Actor, named: string | null | undefined): Promise<string> {
  const chosen = named ?? actor.activeLocationId ?? (await queries.onlyLocation(tx, actor));
  if (!chosen) throw invalid({ location_id: 'choose_location' });
  const reached =
    actor.role === 'member' ? chosen === actor.activeLocationId : await queries.reachesLocation(tx, actor, chosen);
  if (!reached) throw invalid({ location_id: 'unknown' });
  return chosen;
}
