import { useListSearch } from '#lib/search.ts';

export type Order = 'asc' | 'desc';

export interface Sorting<By extends string = string> {
  readonly by: By;
  readonly order: Order;
  readonly change: (by: string, order: Order) => void;
}

/** The order of a list, kept in the address as `sort` and `order`. `standard` is the order of an address without them. */
export function useSorting<By extends string>(
  orders: readonly By[],
  standard: { by: NoInfer<By>; order: Order },
): Sorting<By> {
  const [{ sort, order }, change] = useListSearch();
  return {
    by: orders.find(it => it === sort) ?? standard.by,
    order: order === 'asc' || order === 'desc' ? order : standard.order,
    change: (by, next) => change({ sort: by, order: next }),
  };
}
