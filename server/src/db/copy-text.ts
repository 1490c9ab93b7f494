import { Transform } from 'node:stream';

/** The text format of COPY: fields by tabs, \N for null, and backslashes before what would be mistaken. */
const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };
const written = new Map(Object.entries(escapes).map(([letter, char]) => [char, `\\${letter}`]));

export const readField = (field: string): string | null =>
  field === '\\N' ? null : field.replaceAll(/\\(.)/gs, (_, letter: string) => escapes[letter] ?? letter);

export const writeField = (value: string | null): string =>
  value === null ? '\\N' : value.replaceAll(/[\\\b\f\n\r\t\v]/g, char => written.get(char) ?? '\\\\');

/** One row by column name. */
export type Row = Map<string, string | null>;

/** Changes rows of a COPY on their way. Columns that `change` sets anew are written, all others stay as they are, byte by byte. */
export function changeRows(
  columns: readonly string[],
  change: (row: Row) => ReadonlyMap<string, string | null>,
): Transform {
  let rest: Buffer = Buffer.alloc(0);
  const changed = (line: string): string => {
    const fields = line.split('\t');
    const row: Row = new Map(columns.map((column, i) => [column, readField(fields[i]!)]));
    for (const [column, value] of change(row)) fields[columns.indexOf(column)] = writeField(value);
    return fields.join('\t');
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const bytes = rest.length ? Buffer.concat([rest, chunk]) : chunk;
      const end = bytes.lastIndexOf(10) + 1;
      rest = bytes.subarray(end);
      if (end === 0) return done();
      try {
        const lines = bytes
          .subarray(0, end - 1)
          .toString('utf8')
          .split('\n');
        done(null, Buffer.from(`${lines.map(changed).join('\n')}\n`));
      } catch (error) {
        done(error as Error);
      }
    },
    flush(done) {
      done(rest.length ? new Error('a row has no end') : null);
    },
  });
}
