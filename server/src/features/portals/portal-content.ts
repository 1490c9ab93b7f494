import { marketingKeys } from '@portico/contract/consent-kinds.ts';
import { defaultStyles } from '@portico/contract/portal-default-styles.ts';
import { isShipped } from '@portico/contract/portal-languages.ts';
import {
  defaultMessages,
  messageKeys,
  type PerLanguage,
  type PortalMessages,
  richMessages,
} from '@portico/contract/portal-messages.ts';
import { fullPage } from '@portico/contract/portal-page.ts';
import { storedProviders } from '@portico/contract/portal-providers.ts';
import { type PortalStyles, pictureStyles, portalStyles } from '@portico/contract/portal-styles.ts';
import { agreementKeys, type Portal, type PortalForm } from '@portico/contract/portals.ts';
import { keyOf } from '@portico/contract/validation.ts';
import { AppError, invalid } from '#http/app-error.ts';
import { cleanRichText } from '#lib/rich-text.ts';
import { CssProblem, compileCss } from './custom-css.ts';
import type { PictureUrls } from './picture-urls.ts';
import { type Nested, withOptions } from './portal-nested.queries.ts';
import type { PortalContent } from './portals.queries.ts';

export const isRich = (key: string): boolean => (richMessages as readonly string[]).includes(key);

export function mapTexts(texts: PerLanguage, change: (text: string) => string): PerLanguage {
  return Object.fromEntries(Object.entries(texts).map(([language, text]) => [language, change(text)]));
}

/** Reads styles from all three forms of the API: `styles`, `style_options` and the fields of the general form. */
export function changedStyles(form: PortalForm, pictures: PictureUrls): Partial<PortalStyles> {
  const options = Object.fromEntries((form.style_options ?? []).map(({ key, value }) => [key, value]));
  const listed = portalStyles.partial().safeParse(options, { reportInput: true });
  if (!listed.success) {
    const field = (key: unknown) =>
      `style_options.${form.style_options?.findLastIndex(each => each.key === key)}.value`;
    const fields = Object.fromEntries(listed.error.issues.map(issue => [field(issue.path[0]), keyOf(issue)]));
    throw new AppError('invalid', { fields });
  }
  const { color_scheme, background_type, color_type, background_color, background_image, logo: portal_logo } = form;
  const general = { color_scheme, background_type, color_type, background_color, background_image, portal_logo };
  const styles = { ...present(listed.data), ...present(form.styles ?? {}), ...present(general) };
  for (const key of pictureStyles) {
    const url = styles[key];
    if (!url) continue;
    const path = pictures.toPath(url);
    const own = key === 'portal_logo' ? 'logo' : key;
    const isGeneral = (own === 'logo' || own === 'background_image') && form[own] === url;
    if (!path) throw invalid({ [isGeneral ? own : `styles.${key}`]: 'unknown' });
    styles[key] = path;
  }
  if (styles.custom_css) checkCss(styles.custom_css);
  return styles;
}

/** Throws 422 with the line of a mistake. */
export function checkCss(source: string): void {
  try {
    compileCss(source);
  } catch (error) {
    if (error instanceof CssProblem)
      throw new AppError('invalid', { fields: { 'styles.custom_css': [error.key, error.values] } });
    throw error;
  }
}

const present = <T extends object>(values: T) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };

export const cleanHtml = (html: string, pictures: PictureUrls): string =>
  cleanRichText(pictures.htmlToPaths(html), src => pictures.toPath(src) === src);

/** Rich text for storage: sanitised, with pictures as paths. Refuses markup without content; an empty text clears. */
export function cleanTexts(
  texts: PerLanguage,
  { field, pictures }: { field: string; pictures: PictureUrls },
): PerLanguage {
  const cleaned = mapTexts(texts, html => cleanHtml(html, pictures));
  for (const language of Object.keys(texts))
    if (texts[language] && !hasContent(cleaned[language])) throw invalid({ [`${field}.${language}`]: 'content_empty' });
  return cleaned;
}
const hasContent = (html = ''): boolean => /<img\b/.test(html) || html.replace(/<[^>]*>|&nbsp;/g, '').trim() !== '';

/** Texts equal to the defaults are not stored, so that they follow later changes of the defaults. */
export function changedMessages(
  before: Partial<PortalMessages>,
  sent: NonNullable<PortalForm['messages']>,
  pictures: PictureUrls,
): Partial<PortalMessages> {
  const after: Partial<PortalMessages> = { ...before };
  for (const key of messageKeys) {
    const texts = sent[key];
    if (texts === null) after[key] = {};
    if (!texts) continue;
    const merged: PerLanguage = {
      ...before[key],
      ...(isRich(key) ? cleanTexts(texts, { field: `messages.${key}`, pictures }) : texts),
    };
    for (const language of Object.keys(merged))
      if (isShipped(language) && merged[language] === defaultMessages[key][language]) delete merged[language];
    after[key] = merged;
  }
  return after;
}

/** Texts after a change; null clears those of all languages. */
const mergedTexts = (before: PerLanguage | undefined, sent: PerLanguage | null): PerLanguage =>
  sent === null ? {} : { ...before, ...sent };

export function changedAgreements(
  before: Partial<Portal['agreements']>,
  sent: { [K in keyof Portal['agreements']]?: PerLanguage | null | undefined },
  pictures: PictureUrls,
): Partial<Portal['agreements']> {
  const after = { ...before };
  for (const key of agreementKeys) {
    const texts = sent[key];
    const cleaned = texts && cleanTexts(texts, { field: `agreements.${key}`, pictures });
    if (cleaned !== undefined) after[key] = mergedTexts(before[key], cleaned);
  }
  for (const key of Object.values(marketingKeys)) {
    const texts = sent[key];
    if (texts !== undefined) after[key] = mergedTexts(before[key], texts);
  }
  return after;
}

const parts = ['styles', 'providers', 'messages', 'agreements', 'page'] as const;

/** The parts in which two contents visibly differ. Lists that are missing in one of them count as equal. */
export function changedParts(before: PortalContent, after: PortalContent): string[] {
  const [old, now] = [withDefaults(before), withDefaults(after)];
  const changed: string[] = parts.filter(part => !isEqual(old[part], now[part]));
  const [listsBefore, listsAfter] = [before.nested && listsOf(before.nested), after.nested && listsOf(after.nested)];
  if (!listsBefore || !listsAfter) return changed;
  return [...changed, ...listNames.filter(name => !isEqual(listsBefore[name], listsAfter[name]))];
}

const listNames = ['surveys', 'rules', 'advertisements'] as const;
/** The order matters for rules only. */
const listsOf = ({ surveys, redirect_rules, advertisements }: Nested) => ({
  surveys: byId(surveys),
  rules: redirect_rules,
  advertisements: byId(advertisements.map(withOptions)),
});
const byId = <T extends { id: string }>(items: readonly T[]) => items.toSorted((a, b) => (a.id < b.id ? -1 : 1));

/** A content with its defaults and without empty texts, so that equal contents compare equal. */
const withDefaults = ({ styles, providers, messages, agreements, page }: PortalContent) => ({
  styles: { ...defaultStyles, ...styles },
  providers: storedProviders(providers),
  messages: Object.fromEntries(messageKeys.map(key => [key, nonEmpty({ ...defaultMessages[key], ...messages[key] })])),
  agreements: Object.fromEntries(
    [...agreementKeys, ...Object.values(marketingKeys)].map(key => [key, nonEmpty(agreements[key] ?? {})]),
  ),
  page: fullPage(page),
});
const nonEmpty = (texts: PerLanguage) => Object.fromEntries(Object.entries(texts).filter(([, text]) => text));

/** Compares JSON values regardless of the order of keys, which jsonb does not preserve. */
export const isEqual = (a: unknown, b: unknown): boolean => canonical(a) === canonical(b);
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, it: unknown) =>
    it && typeof it === 'object' && !Array.isArray(it)
      ? Object.fromEntries(Object.entries(it).sort(([a], [b]) => (a < b ? -1 : 1)))
      : it,
  );
