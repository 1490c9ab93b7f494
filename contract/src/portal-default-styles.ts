import type { PortalStyles } from './portal-styles.ts';

/** The styles of a new portal. Apart from their rules, so that the editor shows colours without loading zod. */
export const defaultStyles: PortalStyles = {
  color_scheme: 'light',
  primary_color: '#2f71f2',
  secondary_color: '#1b3a7a',
  form_background_color: '#ffffff',
  alert_color: '#d92d20',
  warning_color: '#b54708',
  info_color: '#175cd3',
  success_color: '#067647',
  border_color: '#d5dae3',
  provider_layout: 'dropdown',
  logo_type: 'active',
  portal_logo: null,
  logo_scale: 50,
  logo_background_color: null,
  background_type: 'image',
  background_image: null,
  color_type: 'solid',
  background_color: '#2b2f36',
  welcome_message_text_color: '#14181f',
  welcome_font_size: 24,
  layout: 'card',
  background_art: null,
  background_focus_x: 50,
  background_focus_y: 50,
  title_font: 'system',
  text_font: 'system',
  corner_radius: 20,
  button_shape: 'rounded',
  dark_mode: 'off',
  dark_logo: null,
  favicon: null,
  theme_color: null,
  custom_css: null,
};

/** The colours of the dark scheme, unless the operator has chosen others. */
export const darkDefaults = {
  form_background_color: '#1a1d23',
  border_color: '#3a404b',
  welcome_message_text_color: '#f3f5f8',
} as const satisfies Partial<PortalStyles>;

/** The styles after applying the scheme: colours at their light default become dark. */
export function effectiveStyles(styles: PortalStyles): PortalStyles {
  if (styles.color_scheme === 'light') return styles;
  const effective = { ...styles };
  for (const [key, dark] of Object.entries(darkDefaults) as [keyof typeof darkDefaults, string][])
    if (effective[key] === defaultStyles[key]) effective[key] = dark;
  return effective;
}
