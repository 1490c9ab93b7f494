import { defaultStyles, type PortalStyles, paintedStyles, type StyleKey } from '@portico/contract/portal-styles.ts';
import { contrast, parseHex } from '#lib/colour.ts';

/** From this size on (CSS pixels, bold) WCAG 2.2 asks of a text only 3:1. */
const large = 19;

/** What guests read or must tell apart, on the form it stands on, with the ratio that it needs. */
const needed = ({ welcome_font_size }: PortalStyles): Partial<Record<StyleKey, number>> => ({
  welcome_message_text_color: welcome_font_size >= large ? 3 : 4.5,
  primary_color: 3,
  secondary_color: 3,
  // Of these, sentences are written.
  alert_color: 4.5,
  warning_color: 4.5,
  info_color: 4.5,
  success_color: 4.5,
});

/** Colours of the product's own on its own form are fitted to the scheme by the page: nothing there to warn of. */
const isOwn = (styles: PortalStyles, key: StyleKey): boolean =>
  styles[key] === defaultStyles[key] && styles.form_background_color === defaultStyles.form_background_color;

/** The colours that are hard to see on the form as it is painted, with their ratio. */
export function weakColours(styles: PortalStyles): Partial<Record<StyleKey, number>> {
  const painted = paintedStyles(styles);
  const form = parseHex(painted.form_background_color);
  const weak: Partial<Record<StyleKey, number>> = {};
  for (const [key, least] of Object.entries(needed(styles)) as [StyleKey, number][]) {
    if (isOwn(styles, key)) continue;
    const colour = parseHex(String(painted[key]));
    const ratio = form && colour ? contrast(form, colour) : 21;
    if (ratio < least) weak[key] = ratio;
  }
  return weak;
}
