import { portalParts } from '#features/portals/compare/portal-parts.ts';

/** One value that differs, by the path of its field: `styles.primary_color`, `messages.subtitle.tr`. */
export interface Difference {
  readonly path: string;
  readonly before: string;
  readonly sides: readonly string[];
}

/** Longer lists are compared as a whole. */
const asText = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields of a portal's parts as flat paths. A method is named by its slug instead of its place. */
function flat(value: unknown, path: string, into: Map<string, string>): Map<string, string> {
  if (isPlain(value))
    for (const [key, inner] of Object.entries(value)) flat(inner, path ? `${path}.${key}` : key, into);
  else into.set(path, asText(value));
  return into;
}

const withoutId = (block: object) => Object.fromEntries(Object.entries(block).filter(([key]) => key !== 'id'));

/** A page content whose blocks are named by their place, from 1. */
const withPlaces = (page: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(page).map(([key, list]) => {
      if (!key.endsWith('_blocks') || !Array.isArray(list)) return [key, list];
      const blocks = list.map((block: object, i) => [i + 1, withoutId(block)]);
      return [key, Object.fromEntries(blocks)];
    }),
  );

const fieldsOf = (portal: object): Map<string, string> => {
  const known = Object.entries(portal).filter(([key]) => portalParts.includes(key));
  const parts = known.map(([key, value]: [string, unknown]) => {
    if (key === 'providers' && Array.isArray(value))
      return [key, Object.fromEntries(value.map((it: { slug: string }) => [it.slug, it]))];
    return [key, key === 'page' && isPlain(value) ? withPlaces(value) : value];
  });
  return flat(Object.fromEntries(parts), '', new Map());
};

/** The lists of blocks that a side has, which are always complete. */
const blockListsOf = ({ page = {} }: { page?: object }) =>
  Object.keys(page)
    .filter(key => key.endsWith('_blocks'))
    .map(key => `page.${key}.`);

/** The fields in which one of the sides differs from `before`. A field that a side lacks is unchanged there, except of a block. */
export function differences(before: object, sides: readonly object[]): Difference[] {
  const old = fieldsOf(before);
  const now = sides.map(fieldsOf);
  const whole = sides.map(blockListsOf);
  const paths = new Set([...old.keys(), ...now.flatMap(it => [...it.keys()])]);
  return [...paths]
    .map(path => {
      const was = old.get(path) ?? '';
      return {
        path,
        before: was,
        sides: now.map((it, i) => it.get(path) ?? (whole[i]?.some(list => path.startsWith(list)) ? '' : was)),
      };
    })
    .filter(it => it.sides.some(side => side !== it.before));
}
