/** Tells spreadsheet programs that the file is UTF-8. */
export const byteOrderMark = '\uFEFF';

// A spreadsheet would run a cell with this beginning as a formula. Where the list separator is a semicolon, as in Turkish, it
// splits the file at semicolons and line breaks, inside quotes too. So what follows these counts as a beginning, also behind
// quotes: the spreadsheet takes them off the cell.
const first = /^(?=[=+\-@＝＋－＠\t\r])/u;
const later = /([;\t\r\n][ "]*)(?=[=+\-@＝＋－＠])/gu;
const madeSafe = /(^|[;\t\r\n][ "]*)'(?=[=+\-@＝＋－＠])/gu;

function cell(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const safe = value.replace(later, "$1'").replace(first, "'");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** One line of a CSV file (RFC 4180). Texts that a spreadsheet would take for a formula begin with an apostrophe. */
export const csvLine = (values: readonly (string | number | null | undefined)[]): string =>
  `${values.map(cell).join(',')}\r\n`;

/** A cell as it was before `csvLine` made it safe. */
export const plainCell = (text: string): string => text.replace(madeSafe, '$1');
