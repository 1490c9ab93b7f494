import type { PerLanguage } from '@portico/contract/portal-messages.ts';
import type { PortalStyles } from '@portico/contract/portal-styles.ts';
import type { FormPart } from '#ui/use-contract-form.ts';

export type GeneralValues = {
  name: string;
  styles: PortalStyles;
  messages: { welcome_message_title: PerLanguage };
};
export type GeneralForm = FormPart<GeneralValues>;

const colour = /^#[0-9a-f]{6}$/i;

/** The styles without colours that are still being typed. */
export const withoutInvalidColours = (styles: PortalStyles): Partial<PortalStyles> =>
  Object.fromEntries(
    Object.entries(styles).filter(([key, value]) => !key.endsWith('_color') || !value || colour.test(String(value))),
  );
