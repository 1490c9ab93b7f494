/** The languages in which the product has all texts for guests. Without zod, because the pages and the panel need them at once. */
export const portalLanguages = ['tr', 'en', 'de', 'ru', 'ar', 'fr', 'es', 'it', 'fa', 'uk', 'zh', 'ja'] as const;
export type ShippedLanguage = (typeof portalLanguages)[number];

/** A language of guests: a shipped one, or one that the owner of a portal has added, as a BCP 47 tag. */
export type PortalLanguage = string;

export const isShipped = (language: string): language is ShippedLanguage =>
  (portalLanguages as readonly string[]).includes(language);

/** The first shipped language of a list, for texts that only the product has. */
export const shippedOf = (...languages: readonly string[]): ShippedLanguage => languages.find(isShipped) ?? 'en';

/** Each language by its own name. */
const names: Readonly<Record<ShippedLanguage, string>> = {
  tr: 'Türkçe',
  en: 'English',
  de: 'Deutsch',
  ru: 'Русский',
  ar: 'العربية',
  fr: 'Français',
  es: 'Español',
  it: 'Italiano',
  fa: 'فارسی',
  uk: 'Українська',
  zh: '简体中文',
  ja: '日本語',
};

/** The name of a language in itself, such as `Ελληνικά`. */
export function languageName(language: string): string {
  if (isShipped(language)) return names[language];
  try {
    return new Intl.DisplayNames([language, 'en'], { type: 'language' }).of(language) ?? language;
  } catch {
    return language;
  }
}

/** The most languages that a portal offers. */
export const maxOffered = 20;

/** The languages of a portal whose operator has not chosen any. The first is the default. */
export const defaultOffered = ['en', 'tr', 'de', 'ru', 'ar'] as const satisfies readonly ShippedLanguage[];

const rightToLeft = new Set(['Adlm', 'Arab', 'Hebr', 'Mand', 'Nkoo', 'Rohg', 'Syrc', 'Thaa']);

/** The script of a language as ISO 15924, such as `Latn`; empty if it is not known. */
export function scriptOf(language: string): string {
  try {
    return new Intl.Locale(language).maximize().script ?? '';
  } catch {
    return '';
  }
}

/** By the script of the language: not every browser has `getTextInfo`. */
export const directionOf = (language: string): 'ltr' | 'rtl' => (rightToLeft.has(scriptOf(language)) ? 'rtl' : 'ltr');

/** A text of one language for a page in another: isolated if the directions differ, so that a full stop stays at its end. */
export function textFrom(language: string, text: string, page: string): string {
  const direction = directionOf(language);
  if (!text || direction === directionOf(page)) return text;
  return `${direction === 'rtl' ? '\u2067' : '\u2066'}${text}\u2069`;
}

type Texts<T extends readonly unknown[]> = { readonly [K in keyof T]: string };
export type InEveryLanguage = Texts<typeof portalLanguages>;

/** A text for each language, in the order of `portalLanguages`. */
export const inEveryLanguage = (texts: InEveryLanguage): Record<ShippedLanguage, string> =>
  Object.fromEntries(portalLanguages.map((language, i) => [language, texts[i]])) as Record<ShippedLanguage, string>;
