import type { Product } from '@portico/contract/qr-menu.ts';

/** The fields of the product form. An empty number is an empty string. A new product is priced in the `usual` currency. */
export const productValues = (product: Product | undefined, usual: Product['currency'] = 'try') => ({
  title: product?.title ?? '',
  title_en: product?.title_en ?? '',
  description: product?.description ?? '',
  description_en: product?.description_en ?? '',
  description_long: product?.description_long ?? '',
  description_long_en: product?.description_long_en ?? '',
  ingredients: product?.ingredients ?? [],
  ingredients_en: product?.ingredients_en ?? [],
  allergens: product?.allergens ?? [],
  allergens_en: product?.allergens_en ?? [],
  product_time: product?.product_time ?? ('' as number | ''),
  calorie: product?.calorie ?? ('' as number | ''),
  price: product?.price ?? ('' as number | ''),
  currency: product?.currency ?? usual,
  status: product?.status ?? (1 as 0 | 1),
  category_ids: product?.category_ids.map(({ id }) => id) ?? [],
});
