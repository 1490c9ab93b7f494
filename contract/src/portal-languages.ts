/** The languages that a portal speaks to guests. Without zod, because the pages and the panel need them at once. */
export const portalLanguages = ['tr', 'en', 'de', 'ru', 'ar', 'fr', 'es', 'it', 'fa', 'uk', 'zh', 'ja'] as const;
export type PortalLanguage = (typeof portalLanguages)[number];

/** Each language by its own name. */
export const languageNames: Readonly<Record<PortalLanguage, string>> = {
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

/** The languages of a portal whose operator has not chosen any. The first is the default. */
export const defaultOffered = ['en', 'tr', 'de', 'ru', 'ar'] as const satisfies readonly PortalLanguage[];

export const directionOf = (language: PortalLanguage): 'ltr' | 'rtl' =>
  language === 'ar' || language === 'fa' ? 'rtl' : 'ltr';

type Texts<T extends readonly unknown[]> = { readonly [K in keyof T]: string };
export type InEveryLanguage = Texts<typeof portalLanguages>;

/** A text for each language, in the order of `portalLanguages`. */
export const inEveryLanguage = (texts: InEveryLanguage): Record<PortalLanguage, string> =>
  Object.fromEntries(portalLanguages.map((language, i) => [language, texts[i]])) as Record<PortalLanguage, string>;
