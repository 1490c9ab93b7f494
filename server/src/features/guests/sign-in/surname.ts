/** Compares a typed surname with the one that a hotel has, across alphabets and ways of writing. */

const letters: Record<string, string> = {
  ...{ ı: 'i', ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', ł: 'l', þ: 'th', ħ: 'h', ə: 'e' },
  // Cyrillic, as passports transliterate it.
  ...{
    а: 'a',
    б: 'b',
    в: 'v',
    г: 'g',
    ґ: 'g',
    д: 'd',
    е: 'e',
    ё: 'e',
    є: 'ie',
    ж: 'zh',
    з: 'z',
    и: 'i',
    і: 'i',
    ї: 'i',
  },
  ...{
    й: 'i',
    к: 'k',
    л: 'l',
    м: 'm',
    н: 'n',
    о: 'o',
    п: 'p',
    р: 'r',
    с: 's',
    т: 't',
    у: 'u',
    ф: 'f',
    х: 'kh',
    ц: 'ts',
  },
  ...{ ч: 'ch', ш: 'sh', щ: 'shch', ъ: '', ы: 'y', ь: '', э: 'e', ю: 'iu', я: 'ia' },
  // Greek.
  ...{
    α: 'a',
    β: 'v',
    γ: 'g',
    δ: 'd',
    ε: 'e',
    ζ: 'z',
    η: 'i',
    θ: 'th',
    ι: 'i',
    κ: 'k',
    λ: 'l',
    μ: 'm',
    ν: 'n',
    ξ: 'x',
  },
  ...{ ο: 'o', π: 'p', ρ: 'r', σ: 's', ς: 's', τ: 't', υ: 'y', φ: 'f', χ: 'ch', ψ: 'ps', ω: 'o' },
};

/** Spellings that transliterations and keyboards mix up; both sides are reduced to the second. */
const mixedUp: readonly (readonly [RegExp, string])[] = [
  [/shch|sch|sh|ch/g, 's'],
  [/zh/g, 'z'],
  [/kh/g, 'h'],
  [/ts|tz/g, 'c'],
  [/([aou])e/g, '$1'],
  [/[jy]/g, 'i'],
  [/(.)\1+/gu, '$1'],
];

/** The words of a name in plain letters: `Şişkin`, `Шишкин` and `SHISHKIN` are equal. */
export function nameWords(name: string): string[] {
  const plain = [...name.normalize('NFKD').toLowerCase().replace(/\p{M}/gu, '')]
    .map(letter => letters[letter] ?? letter)
    .join('')
    .replace(/['’`]/g, '');
  const reduced = mixedUp.reduce((text, [pattern, letter]) => text.replace(pattern, letter), plain);
  return reduced.split(/[^\p{L}]+/u).filter(Boolean);
}

/** A part of a surname that counts for itself: `García` of `García López`, but not `de`. */
const isWhole = (word: string): boolean => word.length > 2;

/**
 * Whether the typed text is the surname of a guest: all of it, one of its words, or together with the first name.
 * `surname` undefined: the hotel only has the whole name, which ends with it.
 */
export function isSurname(typed: string, guest: { name: string; surname: string | undefined }): boolean {
  const words = nameWords(typed);
  const name = nameWords(guest.name);
  const text = words.join(' ');
  if (!text) return false;
  const surname = guest.surname ? nameWords(guest.surname) : undefined;
  const starts = surname ? [surname] : name.map((_, index) => name.slice(index)).slice(name.length > 1 ? 1 : 0);
  const first = name.slice(0, Math.max(0, name.length - (surname?.length ?? 1)));
  const whole = surname ?? name.slice(-1);
  return (
    starts.some(part => part.length > 0 && part.join(' ') === text) ||
    (surname !== undefined && words.length === 1 && isWhole(text) && surname.includes(text)) ||
    name.join(' ') === text ||
    [...whole, ...first].join(' ') === text
  );
}
