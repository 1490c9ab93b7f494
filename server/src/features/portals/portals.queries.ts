import type { PortalMessages } from '@portico/contract/portal-messages.ts';
import type { PortalPageForm } from '@portico/contract/portal-page.ts';
import type { Provider } from '@portico/contract/portal-providers.ts';
import type { PortalStyles } from '@portico/contract/portal-styles.ts';
import type { ListedPortal, Portal, PortalRow } from '@portico/contract/portals.ts';
import sql, { empty, type Sql } from 'sql-template-tag';
import { bound, nameOrder, textMatches } from '#db/list.ts';
import { andDevice, andLocation, assignments, type Scope } from '#db/scope.ts';
import type { Tx } from '#db/tenant.ts';
import { andVisible } from '#features/locations/public.ts';
import { type Actor, inOneLocation } from '#http/actor.ts';
import type { Rows } from '#http/page.ts';
import type { Nested } from './portal-nested.queries.ts';

/** The published content: only values that the operator has set. The contract has the defaults. */
export interface PortalContent {
  styles: Partial<PortalStyles>;
  providers: Provider[];
  messages: Partial<PortalMessages>;
  agreements: Partial<Portal['agreements']>;
  /** Absent in drafts and versions from before there was a page content. */
  page?: PortalPageForm;
  /** Absent in drafts that do not change it, and in versions from before it was recorded. */
  nested?: Nested;
}

/** A portal as stored. */
export interface StoredPortal extends PortalRow, PortalContent {
  draft: PortalContent | null;
  draft_at: string | null;
  updated_by: Portal['updated_by'];
  editable: boolean;
}

/** Whether one of these periods shows the portal. The first condition is that of an index. */
const names = (periods: Sql) =>
  sql`(${periods} <> '[]' and ${periods} @> jsonb_build_array(jsonb_build_object('portal_id', p.id)))`;

/** Portals shown by the location itself or by a network of one of its devices. */
const shownIn = (ids: readonly string[]) => sql`(
  exists (select 1 from locations l where (l.portal_id = p.id or ${names(sql`l.portal_periods`)}) and l.id = any(${ids}))
  or exists (select 1 from devices d where ${names(sql`d.portal_periods`)} and d.location_id = any(${ids}))
  or exists (select 1 from networks n join devices d on d.id = n.device_id where n.portal_id = p.id and d.location_id = any(${ids})))`;

/**
 * A condition, starting with `and`, that limits portals `p` to those the actor sees. These are the portals of its
 * locations. Of portals without a location, tenant administrators see all, resellers their own, and members those that
 * their location shows.
 */
function andVisiblePortal(actor: Actor, scope: Scope): Sql {
  if (scope.kind === 'tenant') return empty;
  const ids = scope.kind === 'locations' ? scope.ids : [];
  const shared = inOneLocation(actor)
    ? shownIn(ids)
    : actor.role === 'reseller' || scope.kind === 'owned'
      ? sql`p.created_by = ${actor.userId}`
      : sql`true`;
  return sql`and ((p.location_id is not null ${andLocation(scope, sql`p.location_id`)}) or (p.location_id is null and ${shared}))`;
}

/** Only actors with access to all locations may change a portal without a location. */
const editable = (actor: Actor) => (inOneLocation(actor) ? sql`p.location_id is not null` : sql`true`);

const row = sql`p.id, p.external_id, p.name, p.location_id, p.created_at, p.updated_at, null as deleted_at,
  (select json_build_object('id', l.id, 'name', l.name) from locations l where l.id = p.location_id) as location,
  (select count(*) from locations l where l.portal_id = p.id) as used_by`;
/** The periods in which locations and devices of the actor show the portal `p`. */
const periods = (scope: Scope) => sql`(
  select coalesce(json_agg(e.it - 'portal_id' || jsonb_build_object('device', s.device,
    'location', jsonb_build_object('id', s.id, 'name', s.name, 'time_zone', s.time_zone)) order by ${nameOrder(sql`s.name`)}, e.n), '[]')
  from (
    select l.id, l.name, l.time_zone, null::jsonb as device, l.portal_periods from locations l
    where ${names(sql`l.portal_periods`)} ${andLocation(scope, sql`l.id`)}
    union all
    select l.id, l.name, l.time_zone, jsonb_build_object('id', d.id, 'name', d.name), d.portal_periods
    from devices d join locations l on l.id = d.location_id
    where ${names(sql`d.portal_periods`)} ${andDevice(scope, sql`l.id`, sql`d.id`)}) s
  cross join jsonb_array_elements(s.portal_periods) with ordinality as e(it, n)
  where e.it->>'portal_id' = p.id::text) as periods`;

const stored = (actor: Actor) =>
  sql`${row}, p.styles, p.providers, p.messages, p.agreements, p.page, p.draft, p.draft_at,
    (select json_build_object('id', u.id, 'full_name', u.first_name || ' ' || u.last_name) from users u where u.id = p.updated_by) as updated_by, ${editable(actor)} as editable`;

/** A portal in the list, with the styles that its picture needs. */
type ListRow = PortalRow & Pick<ListedPortal, 'has_draft' | 'periods'> & { styles: Partial<PortalStyles> };

export async function listPortals(
  tx: Tx,
  actor: Actor,
  filter: { page: number; per_page: number; search?: string | undefined; external_id?: string | undefined },
  matches = textMatches,
): Promise<Rows<ListRow>> {
  const where = sql`where true ${andVisiblePortal(actor, actor.scope)}
    ${filter.search ? sql`and ${matches(sql`p.name`, filter.search)}` : empty}
    ${filter.external_id ? sql`and p.external_id = ${filter.external_id}` : empty}`;
  const [rows, { total }] = await Promise.all([
    tx.many<ListRow>(sql`
      select ${row}, p.draft is not null as has_draft, p.styles, ${periods(actor.scope)} from portals p ${where} order by p.id desc
      limit ${filter.per_page} offset ${(filter.page - 1) * filter.per_page}`),
    tx.one<{ total: number }>(sql`select count(*) as total from portals p ${where}`),
  ]);
  return { rows, total };
}

/** Portals that match a text by name, for the search of everything. */
export const findPortals = (tx: Tx, actor: Actor, search: string, limit: number, matches = textMatches) =>
  tx.many<{ id: string; name: string; location: { id: string; name: string } | null }>(sql`
    select p.id, p.name,
      (select json_build_object('id', l.id, 'name', l.name) from locations l where l.id = p.location_id) as location
    from portals p where ${matches(sql`p.name`, search)} ${andVisiblePortal(actor, actor.reach)}
    order by p.id desc limit ${bound(limit)}`);

export const findPortal = (tx: Tx, actor: Actor, id: string) =>
  tx.maybe<StoredPortal>(
    sql`select ${stored(actor)} from portals p where p.id = ${id} ${andVisiblePortal(actor, actor.reach)}`,
  );

/** Like `findPortal`, with a lock, because several statements change the parts of a portal. */
export const lockPortal = (tx: Tx, actor: Actor, id: string) =>
  tx.maybe<StoredPortal>(
    sql`select ${stored(actor)} from portals p where p.id = ${id} ${andVisiblePortal(actor, actor.reach)} for update of p`,
  );

/** The portals that the actor sees with an id of another system, at most two. */
/** Portals of resellers without a location are not the tenant's own. */
export const ofExternalId = (actor: Actor, externalId: string, locationId: string | null): Sql => {
  const own = sql`p.location_id is null and (p.created_by is null or p.created_by = ${actor.userId} or exists (
    select from users u where u.id = p.created_by and u.role = 'tenant-admin'))`;
  return sql`
    select p.id from portals p where p.external_id = ${externalId} ${andVisiblePortal(actor, actor.reach)}
      and ${locationId === null ? own : sql`p.location_id = ${locationId}`} limit 2`;
};

export async function insertPortal(
  tx: Tx,
  portal: {
    id: string;
    externalId?: string | null;
    name: string;
    locationId: string | null;
    createdBy: string;
    providers?: readonly Provider[];
  },
): Promise<void> {
  await tx.run(sql`
    insert into portals (id, external_id, name, location_id, created_by, providers)
    values (${portal.id}, ${portal.externalId ?? null}, ${portal.name}, ${portal.locationId}, ${portal.createdBy},
      ${JSON.stringify(portal.providers ?? [])}::jsonb)`);
}

/** The sign-in methods that a location may use; an empty list means all. */
export const givenMethods = async (tx: Tx, locationId: string): Promise<readonly string[]> =>
  (
    await tx.maybe<{ given: string[] }>(
      sql`select available_providers as given from locations where id = ${locationId}`,
    )
  )?.given ?? [];

/**
 * The locations that show the portal, or will: which methods each may use, and whether its guests can sign in with an
 * OpenID account.
 */
export const listShownAt = (tx: Tx, it: { readonly id: string; readonly location_id: string | null }) =>
  tx.many<{ given: string[]; social: boolean }>(sql`
    select l.available_providers as given,
      exists (select from integrations i where i.location_id = l.id and i.kind = 'openid') as social
    from locations l
    where l.id = ${it.location_id} or l.id in (select locations_with_portal(current_tenant(), ${it.id}))`);

export const updatePortal = (tx: Tx, id: string, values: Record<string, unknown>) =>
  tx.run(sql`update portals set ${assignments(values)} where id = ${id}`);

export const deletePortal = (tx: Tx, id: string) => tx.run(sql`delete from portals where id = ${id}`);

/** Whether a portal may assign this session profile: one of its location, or of any location the actor sees. */
export const profileUsable = async (tx: Tx, actor: Actor, profileId: string, locationId: string | null) =>
  (await tx.maybe(sql`
    select 1 from profiles pr join locations l on l.id = pr.location_id
    where pr.id = ${profileId} ${locationId ? sql`and l.id = ${locationId}` : andVisible(actor)}`)) !== undefined;

export async function countPortals(tx: Tx, scope: Scope): Promise<number> {
  const shared =
    scope.kind === 'owned'
      ? sql`p.created_by = ${scope.userId}`
      : scope.kind === 'locations'
        ? shownIn(scope.ids)
        : sql`true`;
  const { total } = await tx.one<{ total: number }>(sql`
    select count(*) as total from portals p
    where (p.location_id is not null ${andLocation(scope, sql`p.location_id`)}) or (p.location_id is null and ${shared})`);
  return total;
}

/** Whether portal `p` or its draft assigns profile `f` to guests without an account. */
export const givesProfile = sql`(p.location_id = f.location_id or p.location_id is null) and (
  p.providers @> jsonb_build_array(jsonb_build_object('is_active', true, 'options', jsonb_build_object('profile_id', f.id)))
  or p.draft->'providers' @> jsonb_build_array(jsonb_build_object('is_active', true, 'options', jsonb_build_object('profile_id', f.id))))`;

/** The sign-in methods with a profile id replaced by another. The id occurs only in `profile_id`. */
const exchanged = (providers: Sql, id: string, replacement: string) =>
  sql`replace(${providers}::text, ${id}, ${replacement})::jsonb`;

export const replacePortalProfile = (tx: Tx, id: string, replacement: string) =>
  tx.run(sql`
    update portals p set providers = ${exchanged(sql`p.providers`, id, replacement)},
      draft = case when p.draft is not null then
        jsonb_set(p.draft, '{providers}', ${exchanged(sql`(p.draft->'providers')`, id, replacement)}) end
    from profiles f where f.id = ${id} and ${givesProfile}`);

/** On a transfer, the location becomes the owner of the tenant's portals that only it shows. */
export const keepPortals = (tx: Tx, locationId: string) =>
  tx.run(sql`
    update portals p set location_id = ${locationId}, updated_at = now()
    where p.location_id is null and array(select locations_with_portal(current_tenant(), p.id)) = array[${locationId}::uuid]`);
