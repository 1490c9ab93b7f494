import type { Category, Desk, Product } from '@portico/contract/qr-menu.ts';
import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import { textMatches } from '#db/list.ts';
import { andLocation, assignments, type Scope } from '#db/scope.ts';
import type { Tx } from '#db/tenant.ts';
import type { Rows } from '#http/page.ts';

/** The tables of the menu; each row belongs to a location. Products come with their categories. */
export interface Things {
  menu_categories: Category;
  menu_desks: Omit<Desk, 'menu_url'> & { code: string };
  menu_products: Product;
}
export type Table = keyof Things;

const columns: Record<Table, Sql> = {
  menu_categories: sql`t.id, t.location_id, t.title, t.title_en, t.description, t.description_en, t.status, t.position, t.created_at, t.updated_at, null as deleted_at`,
  menu_desks: sql`t.id, t.location_id, t.title, t.description, t.prefix, t.number_start, t.number_end, t.number, t.status, t.code, t.created_at, t.updated_at, null as deleted_at,
    (select coalesce(sum(s.scans), 0)::int from menu_scans s where s.desk_id = t.id and s.day > current_date - 30) as scans`,
  menu_products: sql`t.id, t.location_id, t.title, t.title_en, t.description, t.description_en, t.description_long, t.description_long_en,
    t.ingredients, t.ingredients_en, t.allergens, t.allergens_en, t.product_time, t.calorie, t.price, t.currency, t.status, t.position, t.image,
    t.created_at, t.updated_at, null as deleted_at,
    coalesce((select json_agg(json_build_object('id', c.id, 'title', c.title) order by c.position, c.id)
      from menu_product_categories m join menu_categories c on c.id = m.category_id where m.product_id = t.id), '[]') as category_ids`,
};
const order: Record<Table, Sql> = {
  menu_categories: sql`t.position, t.id`,
  menu_desks: sql`t.id desc`,
  menu_products: sql`t.position, t.id`,
};

export interface MenuFilter {
  page: number;
  per_page: number;
  search?: string | undefined;
}

export async function listThings<T extends Table>(
  tx: Tx,
  scope: Scope,
  table: T,
  filter: MenuFilter,
): Promise<Rows<Things[T]>> {
  const from = sql`from ${raw(table)} t where true ${andLocation(scope, sql`t.location_id`)}
    ${filter.search ? sql`and ${textMatches(sql`t.title`, filter.search)}` : empty}`;
  const [rows, { total }] = await Promise.all([
    tx.many<Things[T]>(
      sql`select ${columns[table]} ${from} order by ${order[table]} limit ${filter.per_page} offset ${(filter.page - 1) * filter.per_page}`,
    ),
    tx.one<{ total: number }>(sql`select count(*) as total ${from}`),
  ]);
  return { rows, total };
}

export const findThing = <T extends Table>(tx: Tx, scope: Scope, table: T, id: string, lock?: 'lock') =>
  tx.maybe<Things[T]>(
    sql`select ${columns[table]} from ${raw(table)} t where t.id = ${id} ${andLocation(scope, sql`t.location_id`)} ${lock ? sql`for update of t` : empty}`,
  );

export const insertThing = (tx: Tx, table: Table, values: Readonly<Record<string, unknown>>) => {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return tx.run(
    sql`insert into ${raw(table)} (${join(entries.map(([column]) => raw(column)))}) values (${join(entries.map(([, value]) => value))})`,
  );
};

export const updateThing = (tx: Tx, table: Table, id: string, values: Record<string, unknown>) =>
  tx.run(sql`update ${raw(table)} set ${assignments(values)} where id = ${id}`);

export const deleteThing = (tx: Tx, scope: Scope, table: Table, id: string) =>
  tx.run(sql`delete from ${raw(table)} t where t.id = ${id} ${andLocation(scope, sql`t.location_id`)}`);

export async function setCategories(tx: Tx, productId: string, ids: readonly string[]): Promise<void> {
  await tx.run(sql`delete from menu_product_categories where product_id = ${productId} and category_id <> all(${ids})`);
  await tx.run(
    sql`insert into menu_product_categories (product_id, category_id) select ${productId}, unnest(${ids}::uuid[]) on conflict do nothing`,
  );
}

/** The position of a new item: after the others. */
export const nextPosition = async (tx: Tx, table: 'menu_categories' | 'menu_products', locationId: string) =>
  (
    await tx.one<{ next: number }>(
      sql`select coalesce(max(position) + 1, 0) as next from ${raw(table)} where location_id = ${locationId}`,
    )
  ).next;

/** Renumbers the items of a location: the given ones first, in their order, then the others in their current order. */
export const reorder = (
  tx: Tx,
  table: 'menu_categories' | 'menu_products',
  locationId: string,
  ids: readonly string[],
): Promise<number> =>
  tx.run(sql`
    update ${raw(table)} t set position = o.place
    from (select x.id, row_number() over (order by n.place nulls last, x.position, x.id) - 1 as place
      from ${raw(table)} x left join unnest(${ids}::uuid[]) with ordinality n(id, place) on n.id = x.id
      where x.location_id = ${locationId}) o
    where t.id = o.id and t.position <> o.place`);

/** How many of these ids are items of the location. */
export const countThings = async (
  tx: Tx,
  table: 'menu_categories' | 'menu_products',
  locationId: string,
  ids: readonly string[],
): Promise<number> =>
  (
    await tx.one<{ n: number }>(
      sql`select count(*) as n from ${raw(table)} where id = any(${ids}) and location_id = ${locationId}`,
    )
  ).n;

export const scansOf = (tx: Tx, deskId: string) =>
  tx.many<{ number: number; scans: number; last_scanned_at: string }>(
    sql`select number, sum(scans)::int as scans, max(last_scanned_at) as last_scanned_at
      from menu_scans where desk_id = ${deskId} group by number`,
  );
