import { createTheme, defaultVariantColorsResolver, type MantineColorsTuple } from '@mantine/core';
import { foldedFilter } from '#lib/folded.ts';
import { returnsFocus } from '#ui/returns-focus.ts';

/** The others are not in the built styles: mantine-styles.ts. */
declare module '@mantine/core' {
  export interface MantineThemeColorsOverride {
    colors: Record<'brand' | 'dark' | 'gray' | 'red' | `var(--${string})`, MantineColorsTuple>;
  }
}

/** Mantine wants ten shades; the real ones are CSS variables in styles/tokens.css. */
const fill = 'var(--accent-fill)';
const brand: MantineColorsTuple = [fill, fill, fill, fill, fill, fill, fill, fill, fill, fill];

const overlay = {
  lockScroll: false,
  transitionProps: { duration: 120 },
  // Otherwise a dialog's header would be a second banner landmark of the page.
  attributes: { header: { role: 'presentation' }, inner: { ref: returnsFocus } },
};
const floating = { shadow: 'none', radius: 'md', transitionProps: { duration: 100 } };

export const theme = createTheme({
  primaryColor: 'brand',
  colors: { brand },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  focusRing: 'auto',
  variantColorResolver: input => {
    const colors = defaultVariantColorsResolver(input);
    const isAccent = input.color === undefined || input.color === 'brand';
    return isAccent && input.variant === 'filled' ? { ...colors, color: 'var(--accent-on)' } : colors;
  },
  components: {
    Modal: { defaultProps: { ...overlay, centered: true, padding: 'lg' } },
    Drawer: { defaultProps: { ...overlay } },
    Menu: { defaultProps: { ...floating, withInitialFocusPlaceholder: false } },
    Popover: { defaultProps: floating },
    Tooltip: { defaultProps: { openDelay: 250, withinPortal: true } },
    // A refused form focuses its first wrong field: open options would hide the message.
    Select: { defaultProps: { comboboxProps: floating, filter: foldedFilter, openOnFocus: false } },
    MultiSelect: { defaultProps: { comboboxProps: floating, filter: foldedFilter, openOnFocus: false } },
    Autocomplete: { defaultProps: { filter: foldedFilter, openOnFocus: false } },
  },
});
