import type { styleBounds } from '@portico/contract/portal-styles.ts';

/** The contract's bounds, repeated here because importing them would load the whole schema. The compiler compares them. */
export const styleRange: typeof styleBounds = {
  logo_scale: { min: 10, max: 100, step: 5 },
  welcome_font_size: { min: 14, max: 40, step: 1 },
  corner_radius: { min: 0, max: 28, step: 2 },
  background_focus_x: { min: 0, max: 100, step: 1 },
  background_focus_y: { min: 0, max: 100, step: 1 },
};
