import { z } from 'zod';
import { connectedOnly } from './block-kinds.ts';
import { portalBlocks } from './portal-blocks.ts';
import { defaultOffered, type PortalLanguage, portalLanguages } from './portal-languages.ts';

/** What the guests' pages contain besides the styles and the messages. */

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
  .pipe(z.url({ protocol: /^https?$/, hostname: z.regexes.domain, error: 'link_format' }));

const link = z.object({ kind: z.enum(linkKinds), url: address });
export type PortalLink = z.output<typeof link>;

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
    .array(z.enum(portalLanguages))
    .min(1, 'required')
    .refine(list => new Set(list).size === list.length, 'unique'),
});
export type PortalPage = z.output<typeof portalPage>;

/** The body of a change. Each list is sent completely and in order; those that are omitted stay. */
export const portalPageForm = portalPage.partial();
export type PortalPageForm = z.output<typeof portalPageForm>;

/** A stored content with its defaults. */
export const fullPage = (page: PortalPageForm | null | undefined): PortalPage => ({
  links: page?.links ?? [],
  sign_in_blocks: page?.sign_in_blocks ?? [],
  connected_blocks: page?.connected_blocks ?? [],
  languages: offeredLanguages(page),
});

/** The languages of a portal, the default first. */
export const offeredLanguages = (page: PortalPageForm | null | undefined): PortalLanguage[] =>
  page?.languages ?? [...defaultOffered];
