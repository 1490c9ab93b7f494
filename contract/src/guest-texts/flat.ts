import { en } from './en.ts';
import type { Texts } from './keys.ts';

/** The texts of guests' pages as a flat list, for the languages that owners add. A key is the path of a text, such as `code.title`. */

type Tree = { readonly [key: string]: string | Tree };

function flatten(tree: Tree, before = ''): [key: string, text: string][] {
  return Object.entries(tree).flatMap(([key, it]) =>
    typeof it === 'string' ? [[before + key, it] as [string, string]] : flatten(it, `${before}${key}.`),
  );
}

/** Each text by its key, in the order of the pages. Pairs of texts have the keys `.0` and `.1`. */
export const flatTexts = (texts: Texts): ReadonlyMap<string, string> => new Map(flatten(texts as object as Tree));

/** The texts in English. */
export const guestTexts = flatTexts(en);

/** The placeholders in a text, such as `{phone}`. */
export const placeholdersIn = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).sort();

/** The texts with some of them replaced. */
export function withTexts(texts: Texts, written: Readonly<Record<string, string>>): Texts {
  const replace = (tree: Tree, before: string): Tree =>
    Object.fromEntries(
      Object.entries(tree).map(([key, it]) => [
        key,
        typeof it === 'string' ? written[before + key] || it : arrayLike(it, replace(it, `${before}${key}.`)),
      ]),
    );
  return replace(texts as object as Tree, '') as object as Texts;
}

const arrayLike = (before: Tree, after: Tree): Tree =>
  Array.isArray(before) ? (Object.values(after) as object as Tree) : after;
