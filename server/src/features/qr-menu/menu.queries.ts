import type { PictureSizes } from '@portico/contract/picture-sizes.ts';
import sql, { empty } from 'sql-template-tag';
import { textMatches } from '#db/list.ts';
import type { Tx } from '#db/tenant.ts';

/** The desks that are shown. Not bound to a tenant: runs under withSystem. */
export const findDeskByCode = (tx: Tx, code: string) =>
  tx.maybe<{ id: string; tenant_id: string }>(
    sql`select id, tenant_id from menu_desks where code = ${code} and status = 1`,
  );

export interface MenuRow {
  location_id: string;
  location_name: string;
  prefix: string;
  number_start: number;
  number_end: number;
  tenant_slug: string;
  brand_name: string;
  /** Colour and logo of the venue's portal, else of the tenant. */
  color: string;
  logo: string | null;
  sizes: PictureSizes;
  categories: {
    id: string | null;
    title: string;
    title_en: string;
    description: string;
    description_en: string;
    products: number;
  }[];
}

const shown = sql`p.status = 1 and p.location_id = l.id`;

/** The head of every page: the venue, and the categories that have visible products. */
export const findMenu = (tx: Tx, deskId: string) =>
  tx.maybe<MenuRow>(sql`
    select l.id as location_id, l.name as location_name, d.prefix, d.number_start, d.number_end,
      t.slug as tenant_slug, t.brand_name, coalesce(a.styles->>'primary_color', t.primary_color) as color,
      x.logo, picture_sizes(t.id, x.logo) as sizes,
      coalesce((select jsonb_agg(jsonb_build_object('id', c.id, 'title', c.title, 'title_en', c.title_en,
          'description', c.description, 'description_en', c.description_en, 'products', c.products) order by c.position, c.id)
        from (select c.*, (select count(*) from menu_product_categories m join menu_products p on p.id = m.product_id
              where m.category_id = c.id and ${shown}) as products
            from menu_categories c where c.location_id = l.id and c.status = 1) c where c.products > 0), '[]'::jsonb)
      || coalesce((select jsonb_agg(jsonb_build_object('id', null, 'title', '', 'title_en', '', 'description', '', 'description_en', '',
            'products', n.products)) from (select count(*) as products from menu_products p
            where ${shown} and not exists (select from menu_product_categories m where m.product_id = p.id)) n
          where n.products > 0), '[]'::jsonb) as categories
    from menu_desks d join locations l on l.id = d.location_id left join portals a on a.id = l.portal_id cross join tenants t
    cross join lateral (select coalesce(a.styles->>'favicon', case when a.styles->>'logo_type' = 'active' then a.styles->>'portal_logo' end, t.landing_logo) as logo) x
    where d.id = ${deskId} and t.id = current_tenant()`);

export interface MenuProductRow {
  id: string;
  title: string;
  title_en: string;
  description: string;
  description_en: string;
  description_long: string;
  description_long_en: string;
  ingredients: string[];
  ingredients_en: string[];
  allergens: string[];
  allergens_en: string[];
  product_time: number | null;
  calorie: number | null;
  price: number | null;
  currency: string;
  image: string | null;
  category_ids: string[];
}

/** Visible products in order: all, one category (null: those without one), or the matches of a search. */
export function menuProducts(
  tx: Tx,
  locationId: string,
  pick: { category?: string | null | undefined; search?: string; limit: number },
): Promise<MenuProductRow[]> {
  const { category, search } = pick;
  return tx.many<MenuProductRow>(sql`
    select p.id, p.title, p.title_en, p.description, p.description_en, p.description_long, p.description_long_en, p.ingredients,
      p.ingredients_en, p.allergens, p.allergens_en, p.product_time, p.calorie, p.price, p.currency, p.image,
      array(select m.category_id from menu_product_categories m where m.product_id = p.id) as category_ids
    from menu_products p
    where p.location_id = ${locationId} and p.status = 1
      ${category ? sql`and exists (select from menu_product_categories m where m.product_id = p.id and m.category_id = ${category})` : empty}
      ${category === null ? sql`and not exists (select from menu_product_categories m where m.product_id = p.id)` : empty}
      ${
        search
          ? sql`and ${textMatches(sql`concat_ws(chr(10), p.title, p.title_en, p.description, p.description_en, p.ingredients, p.ingredients_en)`, search)}
            and (not exists (select from menu_product_categories m where m.product_id = p.id) or exists (
              select from menu_product_categories m join menu_categories c on c.id = m.category_id
              where m.product_id = p.id and c.status = 1))`
          : empty
      }
    order by p.position, p.id limit ${pick.limit}`);
}

/** Counts one scan of this desk's code, on the location's day. */
export const recordScan = (tx: Tx, deskId: string, number: number) =>
  tx.run(sql`
    insert into menu_scans (desk_id, number, day)
    select d.id, ${number}, (now() at time zone l.time_zone)::date
    from menu_desks d join locations l on l.id = d.location_id where d.id = ${deskId}
    on conflict (tenant_id, desk_id, number, day) do update
      set scans = menu_scans.scans + 1, last_scanned_at = excluded.last_scanned_at`);

/** Runs under withSystem. */
export const deleteOldScans = (tx: Tx, days: number) =>
  tx.run(sql`delete from menu_scans where day < current_date - ${days}::int`);
