import { z } from 'zod';
import { languageTag } from './language-tag.ts';
import { providerSlugs } from './locations.ts';
import { portalMessages } from './portal-messages.ts';
import { portalPageForm } from './portal-page.ts';
import { providers } from './portal-providers.ts';
import { portalStyles } from './portal-styles.ts';

/**
 * The pages that the editor can show, as guests see them. `buy` has the packages, `confirm` the summary of a purchase. `over`
 * and `blocked` say why a guest is not online.
 */
export const previewPages = [
  'sign-in',
  'code',
  'error',
  'buy',
  'confirm',
  'survey',
  'online',
  'over',
  'blocked',
] as const;
export type PreviewPageName = (typeof previewPages)[number];

const previewView = z.object({
  page: z.enum(previewPages).default('sign-in'),
  /** The method that is open on the sign-in page. */
  method: z.enum(providerSlugs).nullish(),
  /** Shows the page as a phone in dark mode does. */
  dark: z.boolean().default(false),
});

/**
 * The messages of the panel's editor to the preview frame, by postMessage with the exact target origin. The frame's address is
 * `{captive}/preview/{portalId}?tenant={slug}`, with a `token` that allows drafts. Each message has all changes of its
 * kind so far, saved or not.
 */
export const previewMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('portico:style-changed'), styles: portalStyles.partial() }),
  z.object({ type: z.literal('portico:message-changed'), messages: portalMessages }),
  z.object({ type: z.literal('portico:provider-changed'), providers }),
  z.object({ type: z.literal('portico:page-changed'), page: portalPageForm }),
  z.object({ type: z.literal('portico:view-changed'), view: previewView }),
  z.object({ type: z.literal('portico:language-changed'), language: languageTag }),
]);
export type PreviewMessage = z.input<typeof previewMessage>;

/** Sent by the preview frame when it can receive the unsaved changes. */
export const previewReady = z.object({
  type: z.literal('portico:preview-ready'),
  portal_id: z.uuid(),
  /** Guests of the portal can buy access. */
  sells: z.boolean(),
});
export type PreviewReady = z.output<typeof previewReady>;

/** The unsaved changes, which the frame sends to its server to be rendered. */
export const previewDraft = z.object({
  styles: portalStyles.partial().default({}),
  messages: portalMessages.default({}),
  providers: providers.optional(),
  page: portalPageForm.default({}),
  view: previewView.default({ page: 'sign-in', dark: false }),
  language: languageTag.optional(),
});
export type PreviewDraft = z.output<typeof previewDraft>;

/** The reply: the parts of the page to replace. */
export interface PreviewPage {
  readonly language: string;
  readonly dir: 'ltr' | 'rtl';
  readonly css: string;
  readonly body: string;
}
