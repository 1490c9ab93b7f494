import type { Category, categoryForm, Desk, deskForm, Product, productForm } from '@portico/contract/qr-menu.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { api } from '#lib/api.ts';
import { call, queryOf } from '#lib/client.ts';
import { useChange } from '#lib/queries.ts';
import { type ListSearch, pageOf } from '#lib/search.ts';
import { useList } from '#lib/use-list.ts';

const { categories, products, desks } = api.qrMenu;
const listQuery = (search: ListSearch) => ({ query: { page: pageOf(search), search: search.search } });

export const useCategories = (search: ListSearch) => useList(queryOf(categories.list, listQuery(search)));
export const useProducts = (search: ListSearch) => useList(queryOf(products.list, listQuery(search)));
export const useDesks = (search: ListSearch) => useList(queryOf(desks.list, listQuery(search)));

/** The categories that a product of this location can be in. */
export const useCategoryChoices = (locationId: string | null) => {
  const options = queryOf(categories.list, { query: { per_page: 1000, location_id: locationId ?? undefined } });
  return useQuery({ ...options, enabled: locationId !== null }).data?.data ?? [];
};

/** Makes a category, or changes the one given; products show their categories' names. */
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
  return useChange({ send, refresh: [categories.list, products.list, desks.list], done: t('deleted') });
}
