/** A text as searches compare it. Turkish has four letters I, and `toLowerCase` makes two signs of İ. */
export const folded = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ı', 'i');

interface Item {
  readonly label: string;
}
interface Group<I> {
  readonly items: readonly I[];
}

/** The filter of searchable lists. A group stays as long as one of its items does. */
export function foldedFilter<I extends Item, G extends Group<I>>({
  options,
  search,
  limit = Number.POSITIVE_INFINITY,
}: {
  options: readonly (I | G)[];
  search: string;
  limit?: number;
}): (I | G)[] {
  const words = folded(search.trim());
  const fits = (it: Item) => folded(it.label).includes(words);
  const found = options.flatMap((it): (I | G)[] => {
    if ('label' in it) return fits(it) ? [it] : [];
    const items = it.items.filter(fits);
    return items.length > 0 ? [{ ...it, items }] : [];
  });
  return found.slice(0, limit);
}
