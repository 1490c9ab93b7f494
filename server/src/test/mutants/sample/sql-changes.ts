import type { Change } from './change.ts';

/** Typing errors in SQL. */
const slips: readonly (readonly [RegExp, (found: string) => string])[] = [
  // A condition on a line of its own is forgotten.
  [/(?<=\n)[ \t]*(?:and|or) [^\n;]*(?=\n)/g, () => ''],
  [/ <= /g, () => ' < '],
  [/ >= /g, () => ' > '],
  [/ < /g, () => ' <= '],
  [/ > /g, () => ' >= '],
  [/(?<=(?:\band|\bor|\bwhere|\bon|\bwhen|\bif) [\w.]+) = /g, () => ' <> '],
  [/ and /g, () => ' or '],
  [/ or /g, () => ' and '],
  [/is not null/g, () => 'is null'],
  [/is null/g, () => 'is not null'],
  [/not exists \(/g, () => 'exists ('],
  [/(?<!not )exists \(/g, () => 'not exists ('],
  [/\b(?:least|greatest)\(/g, found => (found === 'least(' ? 'greatest(' : 'least(')],
  [/\b(?:min|max)\(/g, found => (found === 'min(' ? 'max(' : 'min(')],
  [/ [+-] /g, found => (found === ' + ' ? ' - ' : ' + ')],
  [/ desc\b/g, () => ''],
  [/\bdistinct (?!from|on)/g, () => ''],
  [/\bleft join\b/g, () => 'join'],
  [/\b(?:true|false)\b/g, found => (found === 'true' ? 'false' : 'true')],
];

const isBalanced = (text: string) =>
  text.split('(').length === text.split(')').length && text.split('${').length === text.split('}').length;
// The second part of a range is no condition.
const isInRange = (text: string, start: number) => /between [^\n]*$/.test(text.slice(0, start).trimEnd());

/** The changes of the SQL between two places of a text. */
function changesOf(file: string, text: string, from: number, until: number): Change[] {
  const sql = text.slice(from, until);
  return slips.flatMap(([pattern, become]) =>
    [...sql.matchAll(pattern)]
      .filter(([found]) => isBalanced(found))
      .map(({ 0: found, index }) => ({
        file,
        start: from + index,
        end: from + index + found.length,
        to: become(found),
      }))
      .filter(({ start, end }) => !isComment(text, start) && !isInRange(text, start) && end > start),
  );
}

function isComment(text: string, at: number): boolean {
  return text.slice(text.lastIndexOf('\n', at) + 1, at).includes('--');
}

/** The bodies of functions in a file of the schema. Nothing else can be replaced in a finished database. */
export const schemaChanges = (file: string, text: string): Change[] =>
  [...text.matchAll(/\bas \$\$\n(.*?)\$\$/gs)].flatMap(({ index, 0: all }) =>
    changesOf(file, text, index, index + all.length),
  );

/** The SQL in a file of queries. */
export const queryChanges = (file: string, text: string): Change[] =>
  [...text.matchAll(/\bsql`([^`]*)`/g)].flatMap(({ index, 0: all }) =>
    changesOf(file, text, index, index + all.length),
  );
