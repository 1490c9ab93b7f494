import { z } from 'zod';
import { portalLanguages } from './errors.ts';
import { portalMessages } from './portal-messages.ts';
import { providers } from './portal-providers.ts';
import { portalStyles } from './portal-styles.ts';

/**
 * What the panel's editor tells the preview frame (`{captive}/preview/{portalId}?tenant={slug}`, with the `token` that opens drafts), by postMessage with
 * the other side's exact origin. Each message carries everything changed so far of its kind, saved or not.
 */
export const previewMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('portico:style-changed'), styles: portalStyles.partial() }),
  z.object({ type: z.literal('portico:message-changed'), messages: portalMessages }),
  z.object({ type: z.literal('portico:provider-changed'), providers }),
  z.object({ type: z.literal('portico:language-changed'), language: z.enum(portalLanguages) }),
]);
export type PreviewMessage = z.input<typeof previewMessage>;

/** What the preview frame tells the panel: it listens now, so send the unsaved changes. */
export const previewReady = z.object({ type: z.literal('portico:preview-ready'), portal_id: z.uuid() });
export type PreviewReady = z.output<typeof previewReady>;

/** The unsaved changes as the frame hands them to its server to be drawn. */
export const previewDraft = z.object({
  styles: portalStyles.partial().default({}),
  messages: portalMessages.default({}),
  providers: providers.optional(),
  language: z.enum(portalLanguages).optional(),
});
export type PreviewDraft = z.output<typeof previewDraft>;

/** What comes back: the parts of the page to swap. */
export interface PreviewPage {
  readonly language: string;
  readonly dir: 'ltr' | 'rtl';
  readonly css: string;
  readonly body: string;
}
