import sql from 'sql-template-tag';
import { contains, textMatches } from './list.ts';
import { placesOf, type Scope } from './scope.ts';

/** Shorter texts are like too many others. */
const shortest = 4;

/** Longer texts are found by their likeness, and have too many patterns. The second: letters left out or replaced. */
const [longest, longestIncomplete] = [24, 10];

/** The trigram index finds nothing by fewer letters in a row. */
const indexed = 3;

/**
 * LIKE patterns of the texts that one typing error turned into this one: two letters were exchanged, or one was added, left
 * out or replaced. The likeliest come first.
 */
export function misspellings(text: string): string[] {
  const letters = [...text.trim()];
  if (letters.length < shortest || letters.length > longest) return [];
  const exchanged: string[] = [];
  const added: string[] = [];
  const others: string[] = [];
  const changed = (at: number, removed: number, ...put: string[]) => letters.toSpliced(at, removed, ...put).join('');
  for (const [at, letter] of letters.entries()) {
    const next = letters[at + 1];
    if (next !== undefined && next !== letter) exchanged.push(contains(changed(at, 2, next, letter)));
    // The rest of the shortest texts is in too many names.
    if (letters.length > shortest) added.push(contains(changed(at, 1)));
    for (const removed of [0, 1]) {
      const [before, after] = [letters.slice(0, at), letters.slice(at + removed)].map(it => it.join(''));
      // At the ends, the text without the letter finds the same.
      if (letters.length > longestIncomplete || !before || !after || Math.max(before.length, after.length) < indexed)
        continue;
      others.push(`${contains(before).slice(0, -1)}_${contains(after).slice(1)}`);
    }
  }
  return [...new Set([...exchanged, ...added, ...others])];
}

/** A search by a name that has one typing error reads at most so many names for each pattern. */
const readNames = 1000;

const named = { devices: sql`d.id`, locations: sql`l.id`, portals: sql`p.id`, voucher_batches: sql`b.id` };
type Named = keyof typeof named;

/** Finds things of a scope by a name with one typing error, as `textMatches` finds them without. */
export const misspelledIn =
  (kind: Named, scope: Scope): typeof textMatches =>
  (_column, text) =>
    sql`${named[kind]} = any(array(select misspelled_names(${kind}, ${misspellings(text)}::text[], ${readNames}, ${placesOf(scope)})))`;

/** The rows that match a search. With `similar`, or else those whose name has one typing error. */
export async function orMisspelled<Page extends { readonly total: number }>(
  kind: Named,
  scope: Scope,
  { search = '', similar = false }: { search?: string | undefined; similar?: boolean | undefined },
  find: (matches: typeof textMatches) => Promise<Page>,
): Promise<Page> {
  const exact = await find(textMatches);
  return exact.total > 0 || !similar || misspellings(search).length === 0 ? exact : find(misspelledIn(kind, scope));
}
