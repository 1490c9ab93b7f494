import { contrast, parseHex } from '@portico/contract/colour.ts';
import type { MessageKey } from '@portico/contract/field-messages.ts';
import {
  type CssPart,
  colouredParts,
  cssIcons,
  cssLimits,
  cssParts,
  cssProperties,
  cssShadows,
  leastContrast,
} from '@portico/contract/portal-css.ts';
import postcss, { type AtRule, type Declaration, type Root, type Rule } from 'postcss';
import { createCache } from '#lib/cache.ts';

/**
 * Custom CSS of a portal. It names parts of the page, such as `.button`, and sets properties from a list (decision 152).
 * The compiled CSS contains no address, no function and no selector outside the card.
 */

/** A mistake in custom CSS: a message and its values, such as `line`. */
export class CssProblem extends Error {
  readonly key: MessageKey;
  readonly values: Record<string, unknown>;
  constructor(key: MessageKey, values: Record<string, unknown>) {
    super(key);
    this.key = key;
    this.values = values;
  }
}

/** The CSS for guests' pages. Throws `CssProblem`. */
export function compileCss(source: string): string {
  const root = parse(source);
  const rules = root.nodes.flatMap(node => {
    if (node.type === 'comment') return [];
    if (node.type === 'rule') return [ruleOf(node)];
    if (node.type === 'atrule') return [mediaOf(node)];
    throw problem('css_syntax', node);
  });
  return rules.join('');
}

const compiled = createCache<string, string>({ maxEntries: 500 });

/** As `compileCss`, but none of the CSS if it has a mistake, as while the operator is typing. */
export function compiledCss(source: string): string {
  const known = compiled.get(source);
  if (known !== undefined) return known;
  let css = '';
  try {
    css = compileCss(source);
  } catch (error) {
    if (!(error instanceof CssProblem)) throw error;
  }
  compiled.set(source, css);
  return css;
}

type Node = { source?: { start?: { line: number } | undefined } | undefined };
const problem = (key: MessageKey, node: Node, values: Record<string, unknown> = {}) =>
  new CssProblem(key, { line: node.source?.start?.line ?? 1, ...values });

function parse(source: string): Root {
  try {
    return postcss.parse(source, { map: false });
  } catch (error) {
    if (error instanceof postcss.CssSyntaxError) throw new CssProblem('css_syntax', { line: error.line ?? 1 });
    throw error;
  }
}

const condition = /^\((min|max)-width: ?\d{1,4}(\.\d{1,3})?(px|rem)\)$|^\(prefers-color-scheme: ?(dark|light)\)$/;

function mediaOf(node: AtRule): string {
  const conditions = node.params.split(/\s+and\s+/);
  if (node.name !== 'media' || !node.nodes || !conditions.every(it => condition.test(it)))
    throw problem('css_at_rule', node, { name: `@${node.name}` });
  const rules = node.nodes.flatMap(inner => {
    if (inner.type === 'comment') return [];
    if (inner.type === 'rule') return [ruleOf(inner)];
    throw problem('css_syntax', inner);
  });
  return `@media ${conditions.join(' and ')}{${rules.join('')}}`;
}

function ruleOf(rule: Rule): string {
  const parts = rule.selector.split(',').map(it => partOf(it.trim(), rule));
  const declarations = rule.nodes.flatMap(node => {
    if (node.type === 'comment') return [];
    if (node.type === 'decl') return [node];
    throw problem('css_syntax', node);
  });
  const block = declarations.map(it => declarationOf(it, parts)).join(';');
  checkColours(rule, declarations, parts);
  return `${parts.map(it => it.selector).join(',')}{${block}}${iconsOf(declarations, parts)}`;
}

interface Part {
  readonly name: CssPart;
  readonly selector: string;
  readonly state: string;
}

/** Icons on a coloured part get the colour of its text, whose contrast is known. */
function iconsOf(declarations: readonly Declaration[], parts: readonly Part[]): string {
  const colour = declarations.find(it => it.prop === 'color')?.value;
  if (colour === undefined) return '';
  return parts
    .map(({ name, state }) => {
      const [base, icon, property] = cssIcons[name] ?? [];
      return base ? `.card.card ${base}${state}${icon}{${property}:${colour}}` : '';
    })
    .join('');
}

function partOf(selector: string, rule: Rule): Part {
  const [, name = '', state = ''] = /^\.([a-z-]+)(:hover|:active|:focus-visible)?$/.exec(selector) ?? [];
  if (!isPart(name)) throw problem('css_selector', rule, { name: short(selector) });
  // The card comes first, so that these rules win over those of the page.
  return { name, selector: `.card.card ${cssParts[name]}`.trimEnd() + state, state };
}

const isPart = (name: string): name is CssPart => Object.hasOwn(cssParts, name);
const isColoured = (name: CssPart) => (colouredParts as readonly string[]).includes(name);
const isColour = (it: Declaration) => it.prop === 'color' || it.prop === 'background-color';
/** The part of the CSS that a message repeats. */
const short = (text: string) => (text.length > 40 ? `${text.slice(0, 39)}…` : text);

/** A colour comes with its background, so that their contrast is known. */
function checkColours(rule: Rule, declarations: readonly Declaration[], parts: readonly Part[]): void {
  const colours = declarations.filter(isColour);
  if (colours.length === 0) return;
  const plain = parts.find(it => !isColoured(it.name));
  if (plain) throw problem('css_no_colour', colours[0]!, { name: `.${plain.name}` });
  const [text, background] = ['color', 'background-color'].map(name => colours.filter(it => it.prop === name));
  if (text?.length !== 1 || background?.length !== 1) throw problem('css_colour_pair', rule);
  const ratio = contrast(parseHex(text[0]!.value), parseHex(background[0]!.value));
  if (ratio < leastContrast)
    // Rounded down: 4.49 is not 4.5.
    throw problem('css_contrast', colours[0]!, {
      ratio: (Math.floor(ratio * 10) / 10).toFixed(1),
      needed: leastContrast,
    });
}

function declarationOf(declaration: Declaration, parts: readonly Part[]): string {
  const { prop, value, important } = declaration;
  const isKnown = isColour(declaration) || prop === 'box-shadow' || Object.hasOwn(cssProperties, prop);
  if (!isKnown) throw problem('css_property', declaration, { name: short(prop) });
  const isRight = isColour(declaration)
    ? hex.test(value)
    : prop === 'box-shadow'
      ? parts.every(it => isShadow(value, it.name))
      : parts.every(it => accepts(cssLimits[it.name]?.[prop] ?? cssProperties[prop]!, value));
  if (important || !isRight) throw problem('css_value', declaration, { name: prop });
  return `${prop}:${value}`;
}

const hex = /^#[0-9a-f]{6}$/i;

/** Lengths and a colour, which may be translucent. An inner shadow could cover the background of a text. */
function isShadow(value: string, part: CssPart): boolean {
  if (value === 'none') return true;
  const most = cssShadows[part === 'card' ? part : 'other'];
  const [colour = '', ...reversed] = value.split(' ').toReversed();
  const [x = '', y = '', blur = '0', spread = '0', ...more] = reversed.toReversed();
  const [, alpha = 'ff'] = /^#[0-9a-f]{6}([0-9a-f]{2})?$/i.exec(colour) ?? [undefined, 'none'];
  return (
    Number.parseInt(alpha, 16) <= most.alpha &&
    reversed.length <= most.lengths &&
    more.length === 0 &&
    [x, y].every(it => isSize(it, { px: [-most.offset, most.offset] })) &&
    isSize(blur, { px: [0, most.blur] }) &&
    isSize(spread, { px: [-64, 64] })
  );
}

function accepts(values: (typeof cssProperties)[string], value: string): boolean {
  if (!('units' in values)) return values.includes(value);
  const sizes = value.split(' ');
  return sizes.length <= (values.upTo ?? 1) && sizes.every(it => isSize(it, values.units));
}

/** Whether a text is a number in range of its unit; 0 needs no unit. */
function isSize(text: string, units: Readonly<Record<string, readonly [min: number, max: number]>>): boolean {
  const [, number, unit = ''] = /^(-?\d{0,4}(?:\.\d{1,4})?)(px|rem|em|%|)$/.exec(text) ?? [];
  if (!number || number === '-') return false;
  const range = units[unit] ?? (Number(number) === 0 ? Object.values(units)[0] : undefined);
  return range !== undefined && Number(number) >= range[0] && Number(number) <= range[1];
}
