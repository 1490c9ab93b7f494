import { directionOf, languageName, type PortalLanguage, portalLanguages } from '@portico/contract/portal-languages.ts';
import type { PerLanguage } from '@portico/contract/portal-messages.ts';
import type { OwnLanguage } from '@portico/contract/portal-page.ts';

const languages: readonly PortalLanguage[] = portalLanguages;

/** The languages of a portal's editor: the shipped ones, and those that its owner has added. */
export const languagesOf = (own: readonly Pick<OwnLanguage, 'tag'>[]): PortalLanguage[] => [
  ...portalLanguages,
  ...own.map(it => it.tag),
];

/** The name of a language in itself; the owner names an added one. */
export const nameIn = (own: readonly Pick<OwnLanguage, 'tag' | 'name'>[], language: PortalLanguage): string =>
  own.find(it => it.tag === language)?.name ?? languageName(language);

/** The `lang` and `dir` of inputs for texts in this language. */
export const textAttributes = (language: PortalLanguage) => ({
  lang: language,
  dir: directionOf(language),
});

/** Whether a text, or rich text, has visible content. */
export const hasText = (text: string | undefined): boolean =>
  Boolean(text && (/<img\b/.test(text) || text.replace(/<[^>]*>|&nbsp;/g, '').trim()));

export type Missing = ReadonlyMap<PortalLanguage, number>;

/** Number of texts by language of the portal that another language has and this one lacks. */
export function countMissing(texts: readonly PerLanguage[], offered: readonly PortalLanguage[]): Missing {
  const written = texts.filter(text => Object.values(text).some(hasText));
  const lacking = (language: PortalLanguage) => written.filter(text => !hasText(text[language])).length;
  return new Map(offered.map(it => [it, lacking(it)] as const).filter(([, count]) => count > 0));
}

/** Short form, such as `DE 2, RU 1`. */
export const missingSummary = (missing: Missing): string =>
  [...missing].map(([language, count]) => `${language.toUpperCase()} ${count}`).join(', ');

/** The text in a language, or in the first language that has it. */
export const anyText = (text: PerLanguage, language: PortalLanguage): string =>
  text[language] || [...languages.map(other => text[other]), ...Object.values(text)].find(Boolean) || '';
