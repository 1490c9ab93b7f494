import type { PortalLanguage } from '@portico/contract/errors.ts';
import type { PerLanguage } from '@portico/contract/portal-messages.ts';

/** Each in its own tongue, as guests choose it. */
export const languageNames: Record<PortalLanguage, string> = {
  tr: 'Türkçe',
  en: 'English',
  de: 'Deutsch',
  ru: 'Русский',
  ar: 'العربية',
};
export const languages = Object.keys(languageNames) as PortalLanguage[];

/** For inputs and editors of a text in this language. */
export const writing = (language: PortalLanguage) => ({ lang: language, dir: language === 'ar' ? 'rtl' : 'ltr' });

/** Whether there is something to read in a text or in rich text. */
export const hasText = (text: string | undefined): boolean =>
  Boolean(text && (/<img\b/.test(text) || text.replace(/<[^>]*>|&nbsp;/g, '').trim()));

export type Missing = ReadonlyMap<PortalLanguage, number>;

/** Languages that lack some of the texts which another language has, and how many. */
export function missingIn(texts: readonly PerLanguage[]): Missing {
  const written = texts.filter(text => languages.some(language => hasText(text[language])));
  const lacking = (language: PortalLanguage) => written.filter(text => !hasText(text[language])).length;
  return new Map(languages.map(it => [it, lacking(it)] as const).filter(([, count]) => count > 0));
}

/** Such as `DE 2, RU`: one text needs no number. */
export const missingShort = (missing: Missing): string =>
  [...missing].map(([language, count]) => `${language.toUpperCase()} ${count}`).join(', ');

/** The text in a language, else in whichever has one. */
export const anyText = (text: PerLanguage, language: PortalLanguage): string =>
  text[language] || languages.map(other => text[other]).find(Boolean) || '';
