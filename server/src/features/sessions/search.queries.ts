import { formatMac, macPattern } from '@portico/contract/mac.ts';
import sql, { join, type Sql } from 'sql-template-tag';

/** A range of texts in the order of bytes; the end is not part of it. */
export type Range = readonly [from: string, until: string];

/** What a search can mean besides a name: the beginning of a MAC address, or an Acct-Session-Id. */
export interface SearchTerms {
  readonly macs?: readonly [first: string, last: string] | undefined;
  /** The id as typed, in lower case and in upper case. */
  readonly ids: readonly string[];
  /** Ids that begin so. */
  readonly begun: readonly Range[];
}

/** The bytes that a search must have of a MAC address: a maker alone has three. */
const leastBytes = 2;
/** Digits without separators may also be a room or a phone number, so they need the whole maker. */
const leastBareDigits = 6;
/** Shorter beginnings of an Acct-Session-Id would match most of a router's. */
const leastOfId = 6;

/** The first and the last MAC address that begin as typed; the same one for a whole address. */
function macsFrom(typed: string): readonly [string, string] | undefined {
  const begun = formatMac(typed);
  if (macPattern.test(begun)) return [begun, begun];
  const isSeparated = /^([0-9a-f]{2}[:-]){1,5}[0-9a-f]{0,2}$|^[0-9a-f]{4}\.([0-9a-f]{1,4}\.?){0,2}$/i.test(typed);
  const isBare = /^[0-9a-f]{6,11}$/i.test(typed);
  const digits = begun.replaceAll(':', '');
  if (digits.length < (isBare ? leastBareDigits : 2 * leastBytes) || !(isSeparated || isBare)) return undefined;
  return [formatMac(digits.padEnd(12, '0')), formatMac(digits.padEnd(12, 'F'))];
}

export function termsOf(typed: string): SearchTerms {
  const text = typed.trim();
  // Ids have a digit, and words have none.
  const isId = /^(?=.*\d)[!-~]+$/.test(text);
  const ids = isId ? [...new Set([text, text.toLowerCase(), text.toUpperCase()])] : [];
  const begun = text.length < leastOfId ? [] : ids.map(id => [id, `${id}\u007f`] as const);
  return { macs: macsFrom(text), ids, begun };
}

const among = ([first, last]: readonly [string, string]): Sql =>
  first === last
    ? sql`s.client_mac = ${first}::macaddr`
    : sql`s.client_mac between ${first}::macaddr and ${last}::macaddr`;

/** Sessions `s` of these MAC addresses. */
export const ofMacs = ({ macs }: SearchTerms): Sql | undefined => macs && among(macs);

/** Sessions `s` with this Acct-Session-Id. With these operators an index finds them under row-level security. */
export const ofId = ({ ids, begun }: SearchTerms): Sql | undefined =>
  ids.length === 0
    ? undefined
    : sql`(${
        begun.length === 0
          ? ofWholeId({ ids, begun })
          : join(
              begun.map(([from, until]) => sql`s.acct_session_id ~>=~ ${from} and s.acct_session_id ~<~ ${until}`),
              ' or ',
            )
      })`;

/** Sessions `s` whose whole Acct-Session-Id is the typed one. */
export const ofWholeId = ({ ids }: SearchTerms): Sql => sql`s.acct_session_id = any(${ids}::text[])`;

/** Sessions `s` that satisfy one of the conditions; none without conditions. */
export const anyOf = (conditions: readonly (Sql | undefined)[]): Sql => {
  const given = conditions.filter(it => it !== undefined);
  return given.length === 0 ? sql`false` : sql`(${join(given, ' or ')})`;
};
