import type { styleBounds } from '@portico/contract/portal-styles.ts';

/** The contract's bounds once more, compared by the compiler: importing them would bring the whole schema along. */
export const styleRange: typeof styleBounds = {
  logo_scale: { min: 10, max: 100, step: 5 },
  welcome_font_size: { min: 14, max: 40, step: 1 },
};
