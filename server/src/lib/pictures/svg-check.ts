/** Why an SVG is refused. */
export type SvgRefusal = 'svg_active' | 'svg_effects';

export const looksLikeSvg = (bytes: Buffer): boolean =>
  /^\uFEFF?\s*<(\?xml|svg|!--|!doctype)/i.test(bytes.subarray(0, 256).toString('utf8'));

/** Drawing programs write a doctype that only names the format. */
export const withoutDoctype = (svg: string): string => svg.replace(/<!DOCTYPE[^<>[]*>/i, '');

// Each alternative matches a short text: a search over a long distance takes minutes in a file made for it.
const active =
  /<!DOCTYPE|<!ENTITY|<\s*(script|foreignObject|iframe)|\bhref\s*=\s*["']\s*(?!#|data:image\/(png|jpe?g|webp))|\son\w+\s*=|@import|url\(\s*["']?\s*(?!#)/i;
const effects = /<\s*(?:[\w.-]{1,32}:)?(filter|pattern|fe[A-Z]\w{1,32})\b|\bfilter\s*[:=](?!\s*["']?\s*none)/i;

/**
 * Checks for content that a drawing does not need. Scripts and links to files could do harm where an SVG is shown. Filters,
 * patterns and nested copies (`use`) make a file of a few kilobytes draw for minutes.
 */
export function svgRefusal(svg: string): SvgRefusal | undefined {
  if (active.test(svg)) return 'svg_active';
  if (effects.test(svg) || hasNestedCopies(svg)) return 'svg_effects';
  return undefined;
}

const maxCopies = 200;

/** Whether a copied element contains a copy: ten levels of ten copies are ten billion elements. */
function hasNestedCopies(svg: string): boolean {
  const targets = new Set<string>();
  const containers = new Set<string>();
  const open: string[] = [];
  let copies = 0;
  for (const [, closing, name = '', attributes = ''] of svg.matchAll(
    /<(\/?)([\w:.-]{1,64})((?:"[^"]*"|'[^']*'|[^"'<>])*)>/g,
  )) {
    if (closing) {
      open.pop();
      continue;
    }
    const id = /\sid\s*=\s*["']([^"']{1,200})["']/.exec(attributes)?.[1] ?? '';
    if (/^(?:[\w.-]+:)?use$/i.test(name)) {
      copies += 1;
      const target = /href\s*=\s*["']\s*#([^"']{1,200})["']/i.exec(attributes)?.[1];
      if (target) targets.add(target.trim());
      for (const it of [...open, id]) if (it) containers.add(it);
    }
    if (!attributes.endsWith('/')) open.push(id);
  }
  return copies > maxCopies || [...targets].some(it => containers.has(it));
}
