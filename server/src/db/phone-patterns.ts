import { contains } from './list.ts';

/** Fewer digits are no phone number, but a room or a year. */
const shortest = 7;
/** Digits of a number without the codes of countries, which are written in several ways. */
const longest = 10;

/** How the last digits of a number are grouped, from the right. The others are in groups of three. */
const endings = [[2, 2], [4], [3]];

/**
 * LIKE patterns of a phone number as people write it: with or without a country code, a leading zero, spaces, hyphens and
 * brackets. Empty for texts that are no phone number.
 */
export function phonePatterns(text: string): string[] {
  const digits = text.replace(/\D/g, '');
  if (/[^+()\d\s./-]/.test(text) || digits.length < shortest) return [];
  const own = digits.replace(/^0+/, '').slice(-longest);
  if (own.length < shortest) return [];
  const grouped = endings.map(ending => {
    const groups: string[] = [];
    let rest = own;
    for (const length of ending) {
      groups.unshift(rest.slice(-length));
      rest = rest.slice(0, -length);
    }
    for (; rest; rest = rest.slice(0, -3)) groups.unshift(rest.slice(-3));
    return groups;
  });
  // `_` is one character: a space, a hyphen or a dot. A bracket and a space are two.
  return [
    ...new Set([
      contains(own),
      ...grouped.map(groups => `%${groups.join('_')}%`),
      ...grouped.map(([first, ...others]) => `%${first}__${others.join('_')}%`),
    ]),
  ];
}
