import type { NoticeChoices, NoticeChoicesChange } from '@portico/contract/notice-choices.ts';
import { type ChosenKind, chosenKinds, type NoticeWay, noticeRules } from '@portico/contract/notice-kinds.ts';
import type { Tx } from '#db/tenant.ts';
import { knowsZone } from '#db/time-zones.ts';
import { audit } from '#features/audit/public.ts';
import type { Actor } from '#http/actor.ts';
import { invalid } from '#http/app-error.ts';
import * as queries from './choices.queries.ts';

type Choice = { readonly kind: ChosenKind; readonly way: NoticeWay };

/** The kinds that a user can receive: a member those that its permissions in any location allow. */
function kindsOf({ role, memberships }: Actor): readonly ChosenKind[] {
  if (role === 'auditor') return [];
  return chosenKinds.filter(kind => {
    const { for: only, permission } = noticeRules[kind];
    if (role !== 'member') return only !== 'tenant-admin' || role === 'tenant-admin';
    return only === undefined && memberships.some(it => permission !== undefined && it.permissions.has(permission));
  });
}

const listOf = (ways: queries.Ways, kinds: readonly ChosenKind[]): Choice[] =>
  kinds.flatMap(kind => (ways[kind] ? [{ kind, way: ways[kind] }] : []));
const waysOf = (choices: readonly Choice[]): queries.Ways =>
  Object.fromEntries(choices.map(({ kind, way }) => [kind, way]));

export async function showChoices(tx: Tx, actor: Actor): Promise<NoticeChoices> {
  const [settings, locations] = await Promise.all([
    queries.findSettings(tx, actor.userId),
    queries.listLocationWays(tx, actor),
  ]);
  const { ways, digest_hour, time_zone } = settings ?? { ways: {}, digest_hour: 8, time_zone: null };
  const kinds = kindsOf(actor);
  const choices = kinds.map(kind => {
    const { way, ofTenant } = noticeRules[kind];
    return { kind, way: ways[kind] ?? way, default: way, per_location: !ofTenant };
  });
  return {
    digest_hour,
    time_zone,
    choices,
    // A location of which the user can receive none of the chosen kinds any more has no choices.
    locations: locations
      .map(it => ({ location: it.location, choices: listOf(it.ways, kinds) }))
      .filter(it => it.choices.length > 0),
  };
}

/** Only kinds that the user can receive, and at a location only those that concern one. */
function requireKinds(actor: Actor, field: string, choices: readonly Choice[], perLocation: boolean): void {
  const kinds = new Set(kindsOf(actor).filter(kind => !perLocation || !noticeRules[kind].ofTenant));
  if (choices.some(({ kind }) => !kinds.has(kind))) throw invalid({ [field]: 'unknown' });
}

export async function changeChoices(tx: Tx, actor: Actor, change: NoticeChoicesChange): Promise<NoticeChoices> {
  const { choices, locations, digest_hour, time_zone } = change;
  requireKinds(actor, 'choices', choices ?? [], false);
  for (const it of locations ?? []) requireKinds(actor, 'locations', it.choices, true);
  if (time_zone && !(await knowsZone(tx, time_zone))) throw invalid({ time_zone: 'time_zone' });
  const { ways: _, ...settings } = await queries.lockSettings(tx, actor.userId);
  const before = await showChoices(tx, actor);
  if (locations) {
    const ids = locations.map(it => it.location_id);
    const visible = await queries.visibleLocations(tx, actor, ids);
    if (ids.some(id => !visible.has(id))) throw invalid({ locations: 'unknown' });
    const list = locations.map(it => ({ locationId: it.location_id, ways: waysOf(it.choices) }));
    await queries.replaceLocationWays(tx, actor.userId, list);
  }
  await queries.changeSettings(tx, actor.userId, {
    ways: choices && waysOf(choices),
    digest_hour: digest_hour ?? settings.digest_hour,
    time_zone,
  });
  const after = await showChoices(tx, actor);
  await audit(tx, actor, {
    verb: 'update',
    subject: { type: 'user', id: actor.userId, name: await queries.emailOf(tx, actor.userId) },
    before: { notifications: readable(before) },
    after: { notifications: readable(after) },
  });
  return after;
}

/** For the audit log: `device_offline` → `digest`, and the same by the name of a location. */
const readable = ({ digest_hour, time_zone, choices, locations }: NoticeChoices) => ({
  digest_hour,
  time_zone,
  ...waysOf(choices),
  ...Object.fromEntries(locations.map(it => [it.location.name, waysOf(it.choices)])),
});
