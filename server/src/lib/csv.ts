/** Tells spreadsheet programs that the file is UTF-8. */
export const byteOrderMark = '\uFEFF';

// A spreadsheet would run such a cell as a formula.
const formula = /^[=+\-@\t\r]/;

function cell(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const safe = formula.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** One line of a CSV file (RFC 4180). Texts that a spreadsheet would take for a formula begin with an apostrophe. */
export const csvLine = (values: readonly (string | number | null | undefined)[]): string =>
  `${values.map(cell).join(',')}\r\n`;
