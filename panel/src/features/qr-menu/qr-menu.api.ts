import type {
  Category,
  categoryForm,
  Desk,
  deskForm,
  Product,
  productForm,
  SheetQuery,
} from '@portico/contract/qr-menu.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { api } from '#lib/api.ts';
import { call, download, queryOf } from '#lib/client.ts';
import { useChange } from '#lib/queries.ts';
import { type ListSearch, pagingOf } from '#lib/search.ts';
import { useList } from '#lib/use-list.ts';

const { categories, products, desks } = api.qrMenu;
const listQuery = (search: ListSearch) => ({ query: { ...pagingOf(search), search: search.search } });

export const useCategories = (search: ListSearch) => useList(queryOf(categories.list, listQuery(search)));
export const useProducts = (search: ListSearch) => useList(queryOf(products.list, listQuery(search)));
export const useDesks = (search: ListSearch) => useList(queryOf(desks.list, listQuery(search)));

/** The categories of a location. */
export const useCategoryChoices = (locationId: string | null) => {
  const options = queryOf(categories.list, { query: { per_page: 1000, location_id: locationId ?? undefined } });
  return useQuery({ ...options, enabled: locationId !== null }).data?.data ?? [];
};

/** Creates or updates a category. Refreshes products as well, because they show category names. */
export function useSaveCategory(category: Category | undefined) {
  const { t } = useTranslation('qr-menu');
  const send = (body: z.input<typeof categoryForm>) =>
    category ? call(categories.update, { params: { id: category.id }, body }) : call(categories.create, { body });
  return useChange({ send, refresh: [categories.list, products.list], done: t(category ? 'changed' : 'added') });
}

export function useSaveProduct(product: Product | undefined) {
  const { t } = useTranslation('qr-menu');
  const send = (body: z.input<typeof productForm>) =>
    product ? call(products.update, { params: { id: product.id }, body }) : call(products.create, { body });
  return useChange({ send, refresh: [products.list], done: t(product ? 'changed' : 'added') });
}

export function useSaveDesk(desk: Desk | undefined) {
  const { t } = useTranslation('qr-menu');
  const send = (body: z.input<typeof deskForm>) =>
    desk ? call(desks.update, { params: { id: desk.id }, body }) : call(desks.create, { body });
  return useChange({ send, refresh: [desks.list], done: t(desk ? 'changed' : 'added') });
}

const kinds = { category: categories.delete, product: products.delete, desk: desks.delete } as const;

export function useDelete(kind: keyof typeof kinds) {
  const { t } = useTranslation('qr-menu');
  const send = ({ id }: { id: string }) => call(kinds[kind], { params: { id } });
  return useChange({ send, refresh: [categories.list, products.list, desks.list], done: t(`${kind}.deleted`) });
}

/** Uploads or removes the picture of a product. */
export function usePicture() {
  const upload = useChange({
    send: ({ id, file }: { id: string; file: File }) => {
      const body = new FormData();
      body.append('file', file);
      return call(products.image, { params: { id }, body });
    },
    refresh: [products.list],
  });
  const remove = useChange({
    send: ({ id }: { id: string }) => call(products.deleteImage, { params: { id } }),
    refresh: [products.list],
  });
  return { upload, remove };
}

const ordered = { category: categories, product: products } as const;

/** All categories or products of a location, to be arranged. */
export function useItemsToArrange(kind: keyof typeof ordered, locationId: string | null) {
  const query = { per_page: 1000, location_id: locationId ?? undefined };
  const select = ({ data }: { data: readonly { id: string; title: string }[] }) =>
    data.map(({ id, title }) => ({ id, title }));
  const has = locationId !== null;
  const ofCategories = useQuery({
    ...queryOf(categories.list, { query }),
    enabled: has && kind === 'category',
    select,
  });
  const ofProducts = useQuery({ ...queryOf(products.list, { query }), enabled: has && kind === 'product', select });
  return kind === 'category' ? ofCategories : ofProducts;
}

export function useSaveOrder(kind: keyof typeof ordered) {
  const { t } = useTranslation('qr-menu');
  const send = (body: { location_id: string | null; ids: string[] }) => call(ordered[kind].order, { body });
  return useChange({ send, refresh: [ordered[kind].list], done: t('orderSaved') });
}

export const useDeskCodes = (id: string) => useQuery(queryOf(desks.codes, { params: { id } }));

export function useDownloadSheet({ id, title }: Desk) {
  const name = title.replaceAll(/[^\p{L}\p{N}]+/gu, '-');
  const send = (query: Pick<SheetQuery, 'format' | 'size'> & { number?: number }) =>
    download(desks.sheet, `${name}${query.number ? `-${query.number}` : ''}.${query.format}`, {
      params: { id },
      query,
    });
  return useChange({ send, refresh: [] });
}
