import type { MenuLanguage, MenuProduct, MenuSection, MenuView } from '@portico/contract/menu-view.ts';
import { notFound } from '#http/app-error.ts';
import type { App } from '#lib/app.ts';
import * as queries from './menu.queries.ts';
import { pictureOf } from './product-pictures.ts';

/** The parts of the page that depend on the request. */
export interface MenuRequest extends Pick<MenuView, 'language' | 'look' | 'nonce' | 'script'> {
  readonly code: string;
  readonly number: string | undefined;
  /** The requested category; `none` for products without one. */
  readonly category: string;
  readonly search: string;
  /** True if the code itself was scanned; false for a link within the page. */
  readonly scanned: boolean;
}

// Above this number the first view would load too slowly, so the menu shows one category at a time.
const maxAtOnce = 60;

/** The public menu behind a desk's code. An unknown code or desk is a 404. */
export async function menuView(app: App, request: MenuRequest): Promise<MenuView> {
  const { code, language, search } = request;
  const desk = /^[a-z0-9]{10,16}$/.test(code) && (await app.db.withSystem(tx => queries.findDeskByCode(tx, code)));
  if (!desk) throw notFound();
  return app.db.withTenant(desk.tenant_id, async tx => {
    const menu = await queries.findMenu(tx, desk.id);
    const number = deskNumber(request.number);
    if (!menu || (number !== undefined && !(number >= menu.number_start && number <= menu.number_end)))
      throw notFound();
    if (request.scanned && number !== undefined) await queries.recordScan(tx, desk.id, number);
    const chosen = chosenOf(menu.categories, request.category, search);
    const products = await queries.menuProducts(tx, menu.location_id, { category: chosen, search, limit: 300 });
    const { nonce, script, look } = request;
    return {
      language,
      look,
      nonce,
      script,
      search,
      chosen,
      path: `/m/${code}${number === undefined ? '' : `/${number}`}`,
      locationName: menu.location_name,
      deskName: number === undefined ? '' : `${menu.prefix}${number}`,
      brand: { name: menu.brand_name, logo: menu.logo, color: menu.color },
      sizes: menu.sizes,
      categories: menu.categories.map(it => ({ id: it.id, title: said(it, 'title', language) })),
      sections: sectionsOf(menu.categories, products, { language, chosen, search }),
    };
  });
}

function deskNumber(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,5}$/.test(text)) throw notFound();
  return Number(text);
}

type Categories = queries.MenuRow['categories'];

/** Undefined if everything is shown. */
function chosenOf(categories: Categories, asked: string, search: string): string | null | undefined {
  const total = categories.reduce((sum, it) => sum + it.products, 0);
  if (search || total <= maxAtOnce) return undefined;
  const found = categories.find(({ id }) => (id ?? 'none') === asked) ?? categories[0];
  return found?.id;
}

type Spoken<K extends string> = Record<K | `${K}_en`, string>;
/** A text in the page's language, else in Turkish. */
const said = <K extends string>(it: Spoken<K>, key: K, language: MenuLanguage): string =>
  (language === 'en' && it[`${key}_en`]) || it[key];
const listed = (turkish: string[], english: string[], language: MenuLanguage) =>
  language === 'en' && english.length ? english : turkish;

const productView = (row: queries.MenuProductRow, language: MenuLanguage): MenuProduct => ({
  id: row.id,
  title: said(row, 'title', language),
  description: said(row, 'description', language),
  more: said(row, 'description_long', language),
  ingredients: listed(row.ingredients, row.ingredients_en, language),
  allergens: listed(row.allergens, row.allergens_en, language),
  minutes: row.product_time,
  calorie: row.calorie,
  price: row.price,
  currency: row.currency,
  image: pictureOf(row.image),
});

function sectionsOf(
  categories: Categories,
  products: readonly queries.MenuProductRow[],
  { language, chosen, search }: { language: MenuLanguage; chosen: string | null | undefined; search: string },
): MenuSection[] {
  // Matches are one list, so that no product appears twice.
  if (search) {
    const found = products.map(it => productView(it, language));
    return found.length ? [{ id: null, title: '', description: '', products: found }] : [];
  }
  return categories
    .filter(({ id }) => chosen === undefined || id === chosen)
    .map(category => ({
      id: category.id,
      title: said(category, 'title', language),
      description: said(category, 'description', language),
      products: products
        .filter(it => (category.id === null ? it.category_ids.length === 0 : it.category_ids.includes(category.id)))
        .map(it => productView(it, language)),
    }));
}
