import { z } from 'zod';
import { connectedOnly } from './block-kinds.ts';
import { emptiedByNull } from './fields.ts';
import { guestTexts, placeholdersIn } from './guest-texts/flat.ts';
import { languageTag } from './language-tag.ts';
import { providerSlugs } from './locations.ts';
import { ownLanguageLimits } from './own-language-limits.ts';
import { portalBlocks } from './portal-blocks.ts';
import { defaultOffered, isShipped, maxOffered, type PortalLanguage } from './portal-languages.ts';
import { webAddress } from './web-address.ts';

/** The content of the guests' pages besides the styles and the messages. */

export const linkKinds = [
  'website',
  'instagram',
  'facebook',
  'x',
  'youtube',
  'tiktok',
  'whatsapp',
  'linkedin',
  'tripadvisor',
  'map',
] as const;
export type LinkKind = (typeof linkKinds)[number];

const address = z
  .string()
  .trim()
  .max(500)
  .pipe(webAddress(/^https?$/, 'link_format'));

const link = z.object({ kind: z.enum(linkKinds), url: address });
export type PortalLink = z.output<typeof link>;

/** Without `sms`, a language of Asia, because the forms of the sign-in page name methods and languages in one field. */
export const ownLanguageTag = languageTag.refine(
  tag => !(providerSlugs as readonly string[]).includes(tag),
  'language_tag',
);

const ownLanguage = z
  .object({
    tag: ownLanguageTag.refine(tag => !isShipped(tag), 'language_shipped'),
    /** The name that guests see in the choice of languages. */
    name: z.string().trim().min(1, 'required').max(ownLanguageLimits.name),
    /** The texts of the pages, by key. Missing texts are shown in the default language of the portal. */
    texts: z.record(z.string().max(60), z.string().trim().max(ownLanguageLimits.text)),
  })
  .superRefine(({ texts }, context) => {
    const length = Object.values(texts).reduce((sum, text) => sum + text.length, 0);
    if (length > ownLanguageLimits.texts) context.addIssue({ code: 'custom', path: ['texts'], message: 'texts_long' });
    for (const [key, text] of Object.entries(texts)) {
      const problem = textProblem(key, text);
      if (problem) context.addIssue({ code: 'custom', path: ['texts', key], message: problem });
    }
  });
export type OwnLanguage = z.output<typeof ownLanguage>;

/** The fault of a text: its key is unknown, or it lacks a value that the page fills in, such as `{phone}`. */
export function textProblem(key: string, text: string): 'unknown' | 'placeholders' | undefined {
  const english = guestTexts.get(key);
  if (english === undefined) return 'unknown';
  if (!text) return undefined;
  return placeholdersIn(text).join() === placeholdersIn(english).join() ? undefined : 'placeholders';
}

export const portalPage = z.object({
  /** Links to the venue, shown once the guest is online. */
  links: z.array(link).max(linkKinds.length),
  /** Shown below the form of the sign-in page. */
  sign_in_blocks: portalBlocks.superRefine((list, context) => {
    const wrong = list.findIndex(({ kind }) => (connectedOnly as readonly string[]).includes(kind));
    if (wrong >= 0) context.addIssue({ code: 'custom', path: [wrong, 'kind'], message: 'invalid' });
  }),
  /** Shown to guests who are online. */
  connected_blocks: portalBlocks,
  /** The languages that guests can choose. The first is the default: for guests whose browser asks for none of them, and for texts that are missing in another. */
  languages: z
    .array(languageTag)
    .max(maxOffered)
    .min(1, 'required')
    .refine(list => new Set(list).size === list.length, 'unique'),
  /** Languages that the product does not have. `languages` may name them. */
  own_languages: z
    .array(ownLanguage)
    .max(ownLanguageLimits.languages)
    .superRefine((list, context) => {
      const second = list.findIndex(({ tag }, i) => list.findIndex(it => it.tag === tag) < i);
      if (second >= 0) context.addIssue({ code: 'custom', path: [second, 'tag'], message: 'unique' });
    }),
});
export type PortalPage = z.output<typeof portalPage>;

/** The body of a change. Each list is sent completely and in order; those that are omitted stay. */
export const portalPageForm = portalPage
  .extend({
    links: emptiedByNull(portalPage.shape.links, []),
    sign_in_blocks: emptiedByNull(portalPage.shape.sign_in_blocks, []),
    connected_blocks: emptiedByNull(portalPage.shape.connected_blocks, []),
    own_languages: emptiedByNull(portalPage.shape.own_languages, []),
  })
  .partial();
export type PortalPageForm = z.output<typeof portalPageForm>;

/** A stored content with its defaults. */
export const fullPage = (page: PortalPageForm | null | undefined): PortalPage => ({
  links: page?.links ?? [],
  sign_in_blocks: page?.sign_in_blocks ?? [],
  connected_blocks: page?.connected_blocks ?? [],
  languages: offeredLanguages(page),
  own_languages: page?.own_languages ?? [],
});

/** The languages of a portal, the default first. */
export const offeredLanguages = (page: PortalPageForm | null | undefined): PortalLanguage[] =>
  page?.languages ?? [...defaultOffered];
