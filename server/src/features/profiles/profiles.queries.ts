import { currencyLabels, type Profile, type ProfileChange, type ProfileForm } from '@portico/contract/profiles.ts';
import sql, { empty, type Sql } from 'sql-template-tag';
import { countRows, pageOf, textMatches } from '#db/list.ts';
import { andLocation, assignments, newRow, type Scope } from '#db/scope.ts';
import type { Tx } from '#db/tenant.ts';
import { replaceDefaultProfile } from '#features/locations/public.ts';
import { givesProfile, replacePortalProfile } from '#features/portals/public.ts';
import type { Rows } from '#http/page.ts';

const columns = sql`
  f.id, f.external_id, f.location_id, f.name, f.shared_user, f.session_duration, f.max_upload, f.max_download,
  f.paid_sale || jsonb_build_object('label', ${JSON.stringify(currencyLabels)}::jsonb -> (f.paid_sale->>'option')) as paid_sale,
  f.daily_duration, f.total_duration, f.session_quota, f.daily_quota, f.total_quota, f.reduced_speed, f.paid_days_from,
  coalesce(l.default_profile_id = f.id, false) as is_default,
  (select count(*) from visitors v where v.profile_id = f.id) as visitors,
  (select count(*) from networks n where n.profile_id = f.id) as networks,
  (select count(*) from portals p where ${givesProfile}) as portals,
  (select count(*) from voucher_batches b where b.profile_id = f.id) as batches,
  (select count(*) from packages k where k.profile_id = f.id) as packages, f.created_at, f.updated_at, null as deleted_at`;
const from = sql`from profiles f join locations l on l.id = f.location_id`;

export interface ProfileFilter {
  page: number;
  per_page: number;
  search?: string | undefined;
  external_id?: string | undefined;
}

export async function listProfiles(tx: Tx, scope: Scope, filter: ProfileFilter): Promise<Rows<Profile>> {
  const found = sql`${from} where true ${andLocation(scope, sql`f.location_id`)}
    ${filter.search ? sql`and ${textMatches(sql`f.name`, filter.search)}` : empty}
    ${filter.external_id ? sql`and f.external_id = ${filter.external_id}` : empty}`;
  const [rows, total] = await Promise.all([
    tx.many<Profile>(sql`select ${columns} ${found} order by f.id desc ${pageOf(filter)}`),
    countRows(tx, found, filter),
  ]);
  return { rows, total };
}

/** `lock`: no other transaction changes the profile, or begins to use it, until this one ends. */
export const findProfile = (tx: Tx, scope: Scope, id: string, lock?: 'lock') =>
  tx.maybe<Profile>(
    sql`select ${columns} ${from} where f.id = ${id} ${andLocation(scope, sql`f.location_id`)} ${lock ? sql`for update of f` : empty}`,
  );

/** The price of a profile of this location. */
export const findPrice = (tx: Tx, locationId: string, id: string) =>
  tx.maybe<Pick<Profile, 'paid_sale'>>(
    sql`select paid_sale from profiles where id = ${id} and location_id = ${locationId}`,
  );

/** The profiles of a location by their names in lower case, and whether they are paid for. */
export async function profilesByName(tx: Tx, locationId: string): Promise<Map<string, { id: string; paid: boolean }>> {
  const rows = await tx.many<{ id: string; name: string; paid: boolean }>(sql`
    select id, name, (paid_sale->>'is_active')::boolean as paid from profiles where location_id = ${locationId} order by id desc`);
  return new Map(rows.map(({ id, name, paid }) => [name.toLocaleLowerCase('tr'), { id, paid }]));
}

export type ProfileValues = Omit<ProfileForm, 'location_id' | 'is_default'>;

export const insertProfile = (tx: Tx, id: string, locationId: string, it: ProfileValues) =>
  tx.run(sql`insert into profiles ${newRow({ id, location_id: locationId, ...it })}`);

/** The profiles that the actor sees with an id of another system, at most two. */
export const ofExternalId = (scope: Scope, externalId: string, locationId: string): Sql => sql`
  select f.id from profiles f
  where f.external_id = ${externalId} and f.location_id = ${locationId} ${andLocation(scope, sql`f.location_id`)} limit 2`;

export const setExternalId = (tx: Tx, id: string, externalId: string) =>
  tx.run(sql`update profiles set external_id = ${externalId} where id = ${id}`);

export const updateProfile = (tx: Tx, id: string, values: Omit<ProfileChange, 'is_default'>) =>
  tx.run(sql`update profiles set ${assignments({ ...values })} where id = ${id}`);

export const deleteProfile = (tx: Tx, id: string) => tx.run(sql`delete from profiles where id = ${id}`);

/** Gives visitors, networks, locations, batches of vouchers, packages and portals that have a profile another one. */
export async function replaceProfile(tx: Tx, id: string, replacement: string): Promise<void> {
  await tx.run(sql`select replace_visitor_profile(${id}, ${replacement})`);
  await tx.run(sql`select replace_network_profile(${id}, ${replacement})`);
  await tx.run(sql`select replace_batch_profile(${id}, ${replacement})`);
  await tx.run(sql`select replace_package_profile(${id}, ${replacement})`);
  await replaceDefaultProfile(tx, id, replacement);
  await replacePortalProfile(tx, id, replacement);
}
