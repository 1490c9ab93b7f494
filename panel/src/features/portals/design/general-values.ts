import type { PerLanguage } from '@portico/contract/portal-messages.ts';
import type { PortalPage } from '@portico/contract/portal-page.ts';
import type { PortalStyles } from '@portico/contract/portal-styles.ts';
import type { Portal } from '@portico/contract/portals.ts';
import type { FormPart } from '#ui/use-contract-form.ts';

export type GeneralValues = {
  name: string;
  styles: PortalStyles;
  page: Pick<PortalPage, 'links' | 'languages' | 'own_languages'>;
  messages: Record<(typeof generalMessages)[number], PerLanguage>;
};

export const generalMessages = [
  'welcome_message_title',
  'subtitle',
  'header_text',
  'footer_text',
  'opening_hours',
] as const;

/** The texts of the general form. */
export const generalTexts = ({ messages }: Pick<Portal, 'messages'>): GeneralValues['messages'] => ({
  welcome_message_title: messages.welcome_message_title,
  subtitle: messages.subtitle,
  header_text: messages.header_text,
  footer_text: messages.footer_text,
  opening_hours: messages.opening_hours,
});
export type GeneralForm = FormPart<GeneralValues>;

const colour = /^#[0-9a-f]{6}$/i;

/** The styles without colours that are still being typed. */
export const withoutInvalidColours = (styles: PortalStyles): Partial<PortalStyles> =>
  Object.fromEntries(
    Object.entries(styles).filter(([key, value]) => !key.endsWith('_color') || !value || colour.test(String(value))),
  );

/** The links whose address is complete, for the preview. */
export const wholeLinks = ({ links, languages, own_languages }: GeneralValues['page']): GeneralValues['page'] => ({
  languages,
  own_languages,
  links: links.filter(({ url }) => URL.canParse(url) && /^https?:/.test(url)),
});
