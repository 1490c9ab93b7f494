/** Spreadsheets run cells that start with these characters as formulas. */
const formula = /^[=+\-@\t\r]/;

function cell(value: string): string {
  const safe = formula.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Rows as CSV (RFC 4180), with a byte order mark so that spreadsheets detect UTF-8. */
export const csvText = (rows: readonly (readonly string[])[]): string =>
  `\uFEFF${rows.map(cells => cells.map(cell).join(',')).join('\r\n')}\r\n`;

// Stryker disable all: only a browser can download, so the journeys test it.
/** Downloads a text as a file. */
export function downloadCsv(filename: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  Object.assign(document.createElement('a'), { href: url, download: filename }).click();
  // Some browsers start reading the file only after this task.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
