import { z } from 'zod';
import { changeOf } from './change.ts';
import { endpoint, one, page } from './endpoint.ts';
import {
  id,
  idParams,
  locationRef,
  name,
  notDeleted,
  numeric,
  pageQuery,
  text,
  time,
  unlessEmpty,
  whole,
} from './fields.ts';
import { currencies } from './units.ts';

/** Maximum size of an upload, before it is re-encoded. */
export const productImageBytes = 5 * 1024 * 1024;

const words = z
  .array(z.string().trim().min(1).max(60))
  .max(50)
  .nullish()
  .transform(list => list ?? []);
const long = z
  .string()
  .trim()
  .max(5000)
  .nullish()
  .transform(value => value ?? '');
const short = text.nullish().transform(value => value ?? '');
/** 1 is shown, 0 is hidden. */
const status = z
  .union([z.literal(0), z.literal(1), z.literal('0'), z.literal('1'), z.boolean()])
  .transform(value => Number(value) as 0 | 1)
  .default(1);
const positive = whole(1, 100_000);
/** An empty field of a form counts as not set. */
const positiveOrNone = unlessEmpty(positive.nullish()).meta({
  type: ['integer', 'null'],
  minimum: 1,
  maximum: 100_000,
});
/** An id, or the category object from a response. */
const categoryRef = z
  .preprocess(it => (typeof it === 'object' && it !== null ? (it as { id?: unknown }).id : it), id)
  .meta({ type: 'string', format: 'uuid' });
const place = whole(0, 100_000).optional();

const made = { id, location_id: id, created_at: time, updated_at: time, deleted_at: notDeleted };
const query = z.object({ ...pageQuery(), search: text.optional(), location_id: id.optional() });

export const categoryForm = z.object({
  location_id: locationRef,
  title: name,
  title_en: short,
  description: long,
  description_en: long,
  status,
  position: place,
});
export type CategoryForm = z.output<typeof categoryForm>;

const shown = z.union([z.literal(0), z.literal(1)]);
export const category = z.object({
  ...made,
  title: z.string(),
  title_en: z.string(),
  description: z.string(),
  description_en: z.string(),
  status: shown,
  position: z.number(),
});
export type Category = z.output<typeof category>;

/**
 * Desks `prefix` + `number_start` to `prefix` + `number_end`. `number` is how many they are: it follows from the range, so a sent
 * one does not count.
 */
const deskFields = z.object({
  location_id: locationRef,
  title: name,
  description: long,
  prefix: z
    .string()
    .trim()
    .max(16)
    .nullish()
    .transform(value => value ?? ''),
  number_start: positive.default(1),
  number_end: positive.default(1),
  number: positive.optional(),
  status,
});

/** The problem of a range of desks, if there is one. */
export function rangeProblem(it: { number_start: number; number_end: number }) {
  if (it.number_end < it.number_start) return ['number_min', { limit: it.number_start }] as const;
  if (it.number_end - it.number_start >= 1000) return ['number_max', { limit: it.number_start + 999 }] as const;
  return undefined;
}

export const deskForm = deskFields.superRefine((it, context) => {
  const problem = rangeProblem(it);
  if (problem) context.addIssue({ code: 'custom', path: ['number_end'], message: problem[0], params: problem[1] });
});
export type DeskForm = z.output<typeof deskForm>;
const deskChange = changeOf(deskFields);
export type DeskChange = z.output<typeof deskChange>;

export const desk = z.object({
  ...made,
  /** The address in a desk's code, without the desk's number. */
  menu_url: z.string(),
  /** The number of scans of these desks' codes in the last 30 days. */
  scans: z.number(),
  title: z.string(),
  description: z.string(),
  prefix: z.string(),
  number_start: z.number(),
  number_end: z.number(),
  number: z.number(),
  /** 0: the codes of these desks lead nowhere. */
  status: shown,
});
export type Desk = z.output<typeof desk>;

/** One desk of the row, with the data of its QR code and sheet. */
export const deskCode = z.object({
  number: z.number(),
  name: z.string(),
  url: z.string(),
  /** In total, and when the last one was. */
  scans: z.number(),
  last_scanned_at: time.nullable(),
});
export type DeskCode = z.output<typeof deskCode>;

export const sheetSizes = ['small', 'medium', 'large'] as const;
/** Codes of A4 pages: `size` is small (35 mm), medium (55 mm) or large (90 mm); `number` picks one desk. */
export const sheetQuery = z.object({
  format: z.enum(['pdf', 'svg']).default('pdf'),
  size: z.enum(sheetSizes).default('medium'),
  number: numeric(z.number().int()).optional(),
  /** For an SVG, which contains one page. */
  page: numeric(z.number().int().min(1)).default(1),
});
export type SheetQuery = z.output<typeof sheetQuery>;

/** The items of a location in their new order. Omitted items follow in their old order. */
export const orderForm = z.object({ location_id: locationRef, ids: z.array(id).min(1).max(1000) });

export const productForm = z.object({
  location_id: locationRef,
  title: name,
  title_en: short,
  description: long,
  description_en: long,
  description_long: long,
  description_long_en: long,
  ingredients: words,
  ingredients_en: words,
  allergens: words,
  allergens_en: words,
  /** Minutes. */
  product_time: positiveOrNone,
  calorie: positiveOrNone,
  price: unlessEmpty(numeric(z.number().min(0).max(9_999_999)).nullish()).meta({
    type: ['number', 'null'],
    minimum: 0,
    maximum: 9_999_999,
  }),
  currency: z.enum(currencies).default('try'),
  status,
  category_ids: z
    .array(categoryRef)
    .max(100)
    .nullish()
    .transform(list => list ?? []),
  position: place,
});
export type ProductForm = z.output<typeof productForm>;

export const product = z.object({
  ...made,
  title: z.string(),
  title_en: z.string(),
  description: z.string(),
  description_en: z.string(),
  description_long: z.string(),
  description_long_en: z.string(),
  ingredients: z.array(z.string()),
  ingredients_en: z.array(z.string()),
  allergens: z.array(z.string()),
  allergens_en: z.array(z.string()),
  product_time: z.number().nullable(),
  calorie: z.number().nullable(),
  price: z.number().nullable(),
  currency: z.enum(currencies),
  status: shown,
  /** The address of the picture. */
  image: z.string().nullable(),
  category_ids: z.array(z.object({ id, title: z.string() })),
  position: z.number(),
});
export type Product = z.output<typeof product>;

/** The five endpoints of one kind of menu item. */
const resource = <
  const P extends string,
  const R extends z.ZodType,
  const F extends z.ZodType,
  const C extends z.ZodType,
>(
  path: P,
  what: string,
  reply: R,
  form: F,
  change: C,
) =>
  ({
    list: endpoint({
      method: 'GET',
      path: `/v1/panel/qrmenu/${path}`,
      access: 'view-portals',
      summary: `QR menu: all ${what === 'category' ? 'categories' : `${what}s`}`,
      query,
      reply: page(reply),
    }),
    create: endpoint({
      method: 'POST',
      path: `/v1/panel/qrmenu/${path}`,
      access: 'store-portals',
      summary: `QR menu: create a ${what}`,
      body: form,
      reply: one(reply),
      status: 201,
    }),
    get: endpoint({
      method: 'GET',
      path: `/v1/panel/qrmenu/${path}/:id`,
      access: 'view-portals',
      summary: `QR menu: one ${what}`,
      params: idParams,
      reply: one(reply),
    }),
    update: endpoint({
      method: 'PUT',
      path: `/v1/panel/qrmenu/${path}/:id`,
      access: 'update-portals',
      summary: `QR menu: change a ${what}`,
      params: idParams,
      body: change,
      reply: one(reply),
    }),
    delete: endpoint({
      method: 'DELETE',
      path: `/v1/panel/qrmenu/${path}/:id`,
      access: 'delete-portals',
      summary: `QR menu: delete a ${what}`,
      params: idParams,
      reply: 'none',
    }),
  }) as const;

const order = <const P extends string>(path: P, what: string) =>
  endpoint({
    method: 'PUT',
    path: `/v1/panel/qrmenu/${path}/order`,
    access: 'update-portals',
    summary: `QR menu: set the order of the ${what}s`,
    body: orderForm,
    reply: 'none',
  });

export const qrMenuApi = {
  categories: {
    ...resource('category', 'category', category, categoryForm, changeOf(categoryForm)),
    order: order('category', 'categorie'),
  },
  desks: {
    ...resource('desk', 'desk', desk, deskForm, deskChange),
    codes: endpoint({
      method: 'GET',
      path: '/v1/panel/qrmenu/desk/:id/codes',
      access: 'view-portals',
      summary: 'QR menu: the codes of a row of desks, with their scans',
      params: idParams,
      reply: one(z.array(deskCode)),
    }),
    sheet: endpoint({
      method: 'GET',
      path: '/v1/panel/qrmenu/desk/:id/sheet',
      access: 'view-portals',
      summary: 'QR menu: a sheet of codes to print (PDF, or one page as SVG)',
      params: idParams,
      query: sheetQuery,
      reply: 'file',
    }),
  },
  products: {
    ...resource('product', 'product', product, productForm, changeOf(productForm)),
    order: order('product', 'product'),
    image: endpoint({
      method: 'POST',
      path: '/v1/panel/qrmenu/product/:id/image',
      access: 'update-portals',
      summary: 'QR menu: set the picture of a product',
      params: idParams,
      upload: { maxBytes: productImageBytes },
      reply: one(product),
    }),
    deleteImage: endpoint({
      method: 'DELETE',
      path: '/v1/panel/qrmenu/product/:id/image',
      access: 'update-portals',
      summary: 'QR menu: remove the picture of a product',
      params: idParams,
      reply: 'none',
    }),
  },
} as const;
