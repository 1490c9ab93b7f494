import type { PackageChange, PackageForm, SoldPackage } from '@portico/contract/packages.ts';
import sql, { empty } from 'sql-template-tag';
import { countRows, pageOf } from '#db/list.ts';
import { andLocation, assignments, newRow, type Scope } from '#db/scope.ts';
import type { Tx } from '#db/tenant.ts';
import type { Rows } from '#http/page.ts';

const columns = sql`
  p.id, p.location_id, json_build_object('id', l.id, 'name', l.name) as location, p.profile_id,
  json_build_object('id', f.id, 'name', f.name) as profile, p.name, p.description, p.price, p.currency, p.tax_rate, p.min_days, p.max_days,
  p.position, p.is_active, p.created_at, p.updated_at,
  (select count(*) from purchases b where b.package_id = p.id and b.paid_at is not null) as sold,
  coalesce((
    select json_agg(json_build_object('currency', s.currency, 'amount', s.amount) order by s.currency)
    from (select currency, (sum(total) * 100)::bigint as amount from sales where package_id = p.id group by currency) s), '[]') as revenue`;
const from = sql`from packages p join locations l on l.id = p.location_id join profiles f on f.id = p.profile_id`;

export async function listPackages(
  tx: Tx,
  scope: Scope,
  filter: { page: number; per_page: number },
): Promise<Rows<SoldPackage>> {
  const found = sql`${from} where true ${andLocation(scope, sql`p.location_id`)}`;
  const [rows, total] = await Promise.all([
    tx.many<SoldPackage>(sql`select ${columns} ${found} order by p.location_id, p.position, p.id ${pageOf(filter)}`),
    countRows(tx, found, filter),
  ]);
  return { rows, total };
}

export const findPackage = (tx: Tx, scope: Scope, id: string, lock?: 'lock') =>
  tx.maybe<SoldPackage>(sql`
    select ${columns} ${from} where p.id = ${id} ${andLocation(scope, sql`p.location_id`)} ${lock ? sql`for update of p` : empty}`);

export const insertPackage = (tx: Tx, id: string, it: Omit<PackageForm, 'location_id'> & { location_id: string }) =>
  tx.run(sql`insert into packages ${newRow({ id, ...it })}`);

export const updatePackage = (tx: Tx, id: string, change: PackageChange) =>
  tx.run(sql`update packages set ${assignments({ ...change })} where id = ${id}`);

export const deletePackage = (tx: Tx, id: string) => tx.run(sql`delete from packages where id = ${id}`);

/** A package as guests see it. */
export type OfferedPackage = Pick<
  SoldPackage,
  'id' | 'profile_id' | 'name' | 'description' | 'price' | 'currency' | 'tax_rate' | 'min_days' | 'max_days'
>;

/** The packages that guests of a location can buy. A profile that lost its price is not sold. */
export const listOffered = (tx: Tx, locationId: string) =>
  tx.many<OfferedPackage>(sql`
    select p.id, p.profile_id, p.name, p.description, p.price, p.currency, p.tax_rate, p.min_days, p.max_days
    from packages p join profiles f on f.id = p.profile_id
    where p.location_id = ${locationId} and p.is_active and (f.paid_sale->>'is_active')::boolean
    order by p.position, p.id limit 50`);
