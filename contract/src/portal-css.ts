/** Custom CSS of a portal: what it may style and how. Decision 152. */

export const maxCustomCss = 4000;

/** The parts of guests' pages that custom CSS may name, with the elements behind them. All are inside the card. */
export const cssParts = {
  card: '',
  logo: '.brand img',
  title: 'h1',
  text: '.lead',
  label: '.field label',
  field: '.input input',
  method: ':is(summary,.fold .go)',
  button: '.button:not(.quiet,.plain)',
  'second-button': '.button.quiet',
  notice: '.notice',
  block: '.blocks>*',
  footer: 'footer',
} as const;
export type CssPart = keyof typeof cssParts;

/** Parts whose text has one colour. The colours of the others follow the portal's colours. */
export const colouredParts = [
  'title',
  'field',
  'method',
  'button',
  'second-button',
] as const satisfies readonly CssPart[];

/** The icons that have the text colour of a part: selectors after it, and the property that colours them. */
export const cssIcons: Partial<Record<CssPart, readonly [base: string, icon: string, property: string]>> = {
  field: ['.input input', '~.reveal', 'color'],
  method: ['summary', '::after', 'border-color'],
};

/** The lowest contrast of a text with its background (WCAG 2.2 AA). */
export const leastContrast = 4.5;

/** A number with a unit, within a range for each unit. */
interface Sizes {
  readonly units: Readonly<Record<string, readonly [min: number, max: number]>>;
  /** How many may follow one another, as in `padding: 8px 16px`. */
  readonly upTo?: number;
}
type Values = readonly string[] | Sizes;

// Sizes of texts and spaces do not depend on those of the elements around them: nested, they would multiply.
const spaces: Sizes = { units: { px: [0, 64], rem: [0, 4] }, upTo: 4 };
const corner: Sizes = { units: { px: [0, 64], rem: [0, 4], em: [0, 4], '%': [0, 50] }, upTo: 4 };
const line: Sizes = { units: { px: [0, 8] }, upTo: 4 };
const lineStyles = ['solid', 'dashed', 'dotted', 'double'];

const sides = [
  'top',
  'right',
  'bottom',
  'left',
  'block',
  'inline',
  'block-start',
  'block-end',
  'inline-start',
  'inline-end',
];
const forSides = <T>(name: (side: string) => string, values: T) =>
  Object.fromEntries(sides.map(side => [name(side), values]));

/** The properties that custom CSS may set, without colours and shadows. No property in it can hide, move or cover anything. */
export const cssProperties: Readonly<Record<string, Values>> = {
  'font-family': ['serif', 'sans-serif', 'monospace', 'system-ui', 'ui-serif', 'ui-rounded'],
  'font-size': { units: { px: [12, 64], rem: [0.75, 4] } },
  'font-style': ['normal', 'italic'],
  'font-weight': ['normal', 'bold', ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map(it => `${it}00`)],
  'font-variant-caps': ['normal', 'small-caps', 'all-small-caps'],
  'letter-spacing': { units: { em: [-0.05, 0.5], px: [-1, 8] } },
  'word-spacing': { units: { em: [0, 1], px: [0, 16] } },
  'line-height': { units: { '': [1, 3] } },
  'text-align': ['start', 'end', 'left', 'right', 'center', 'justify'],
  'text-transform': ['none', 'uppercase', 'lowercase', 'capitalize'],
  margin: spaces,
  padding: spaces,
  ...forSides(side => `margin-${side}`, spaces),
  ...forSides(side => `padding-${side}`, spaces),
  'max-width': { units: { px: [280, 960], rem: [17.5, 60], '%': [50, 100] } },
  'min-height': { units: { px: [44, 128], rem: [2.75, 8] } },
  'border-width': line,
  'border-style': lineStyles,
  'border-radius': corner,
  ...forSides(side => `border-${side}-width`, line),
  ...forSides(side => `border-${side}-style`, lineStyles),
};

const ofField: Sizes = { units: { px: [0, 24], rem: [0, 1.5] }, upTo: 4 };

/** Tighter values for some parts. A field keeps room for the typed text. */
export const cssLimits: Partial<Record<CssPart, Readonly<Record<string, Values>>>> = {
  field: {
    'font-size': { units: { px: [12, 24], rem: [0.75, 1.5] } },
    padding: ofField,
    ...Object.fromEntries(
      ['left', 'right', 'inline', 'inline-start', 'inline-end'].map(side => [`padding-${side}`, ofField]),
    ),
  },
};

/** Shadows in pixels. Only that of the card has nothing of the page around it, so others stay small and faint. */
export const cssShadows = {
  card: { lengths: 4, offset: 64, blur: 64, alpha: 0xff },
  other: { lengths: 3, offset: 4, blur: 16, alpha: 0x40 },
} as const;
