import type { Profile, ProfileForm } from '@portico/contract/profiles.ts';
import sql, { empty, type Sql } from 'sql-template-tag';
import { countRows, pageOf, textMatches } from '#db/list.ts';
import { andLocation, assignments, type Scope } from '#db/scope.ts';
import type { Tx } from '#db/tenant.ts';
import type { Rows } from '#http/page.ts';

/** Portal `p` gives profile `f` to guests with free access, or will once its draft is published. */
const gives = sql`(p.location_id = f.location_id or p.location_id is null) and (
  p.providers @> jsonb_build_array(jsonb_build_object('is_active', true, 'options', jsonb_build_object('profile_id', f.id)))
  or p.draft->'providers' @> jsonb_build_array(jsonb_build_object('is_active', true, 'options', jsonb_build_object('profile_id', f.id))))`;
const columns = sql`
  f.id, f.location_id, f.name, f.shared_user, f.session_duration, f.max_upload, f.max_download, f.paid_sale,
  coalesce(l.default_profile_id = f.id, false) as is_default,
  (select count(*) from visitors v where v.profile_id = f.id) as visitors,
  (select count(*) from networks n where n.profile_id = f.id) as networks,
  (select count(*) from portals p where ${gives}) as portals, f.created_at, f.updated_at`;
const from = sql`from profiles f join locations l on l.id = f.location_id`;

export interface ProfileFilter {
  page: number;
  per_page: number;
  location_id?: string | undefined;
  search?: string | undefined;
}

export async function listProfiles(tx: Tx, scope: Scope, filter: ProfileFilter): Promise<Rows<Profile>> {
  const found = sql`${from} where true ${andLocation(scope, sql`f.location_id`)}
    ${filter.location_id ? sql`and f.location_id = ${filter.location_id}` : empty}
    ${filter.search ? sql`and ${textMatches(sql`f.name`, filter.search)}` : empty}`;
  const [rows, total] = await Promise.all([
    tx.many<Profile>(sql`select ${columns} ${found} order by f.id desc ${pageOf(filter)}`),
    countRows(tx, found, filter),
  ]);
  return { rows, total };
}

export const findProfile = (tx: Tx, scope: Scope, id: string) =>
  tx.maybe<Profile>(sql`select ${columns} ${from} where f.id = ${id} ${andLocation(scope, sql`f.location_id`)}`);

/** The price of a profile of this location. */
export const findPrice = (tx: Tx, locationId: string, id: string) =>
  tx.maybe<Pick<Profile, 'paid_sale'>>(
    sql`select paid_sale from profiles where id = ${id} and location_id = ${locationId}`,
  );

/** The profiles of a location by name in lower case, and whether each has a price. */
export async function profilesByName(tx: Tx, locationId: string): Promise<Map<string, { id: string; paid: boolean }>> {
  const rows = await tx.many<{ id: string; name: string; paid: boolean }>(sql`
    select id, name, (paid_sale->>'is_active')::boolean as paid from profiles where location_id = ${locationId} order by id desc`);
  return new Map(rows.map(({ id, name, paid }) => [name.toLocaleLowerCase('tr'), { id, paid }]));
}

export type ProfileValues = Omit<ProfileForm, 'location_id' | 'is_default'>;

export const insertProfile = (tx: Tx, id: string, locationId: string, it: ProfileValues) =>
  tx.run(sql`
    insert into profiles (id, location_id, name, shared_user, session_duration, max_upload, max_download, paid_sale)
    values (${id}, ${locationId}, ${it.name}, ${it.shared_user}, ${it.session_duration}, ${it.max_upload}, ${it.max_download}, ${it.paid_sale})`);

export const updateProfile = (tx: Tx, id: string, values: ProfileValues) =>
  tx.run(sql`update profiles set ${assignments({ ...values })} where id = ${id}`);

export const deleteProfile = (tx: Tx, id: string) => tx.run(sql`delete from profiles where id = ${id}`);

/** How often a profile is used. The row is locked, so the counts stay true until the transaction ends. */
export async function profileUses(tx: Tx, id: string) {
  await tx.run(sql`select 1 from profiles where id = ${id} for update`);
  return tx.one<{ visitors: number; networks: number; portals: number; is_default: boolean }>(sql`
    select (select count(*) from visitors where profile_id = ${id}) as visitors,
      (select count(*) from networks where profile_id = ${id}) as networks,
      (select count(*) from portals p join profiles f on f.id = ${id} where ${gives}) as portals,
      exists (select 1 from locations where default_profile_id = ${id}) as is_default`);
}

/** A portal's methods with one profile in the place of another: an id stands nowhere else in them. */
const exchanged = (providers: Sql, id: string, replacement: string) =>
  sql`replace(${providers}::text, ${id}, ${replacement})::jsonb`;

/** Replaces a profile wherever it is used. */
export async function replaceProfile(tx: Tx, id: string, replacement: string): Promise<void> {
  await tx.run(sql`update visitors set profile_id = ${replacement}, updated_at = now() where profile_id = ${id}`);
  await tx.run(sql`update networks set profile_id = ${replacement}, updated_at = now() where profile_id = ${id}`);
  await tx.run(
    sql`update locations set default_profile_id = ${replacement}, updated_at = now() where default_profile_id = ${id}`,
  );
  await tx.run(sql`
    update portals p set providers = ${exchanged(sql`p.providers`, id, replacement)},
      draft = case when p.draft is not null then
        jsonb_set(p.draft, '{providers}', ${exchanged(sql`(p.draft->'providers')`, id, replacement)}) end
    from profiles f where f.id = ${id} and ${gives}`);
}
