/** A CSV file that cannot be read: the problem and its line. */
export class CsvProblem extends Error {
  readonly problem: 'csv_binary' | 'csv_quote';
  readonly line: number;
  constructor(problem: CsvProblem['problem'], line = 0) {
    super(problem);
    this.problem = problem;
    this.line = line;
  }
}

/** A record of the file with the line that it begins in, counted from 1. */
export interface CsvRecord {
  readonly line: number;
  readonly cells: string[];
}

/**
 * The text of a file: UTF-8 or UTF-16 by its byte-order mark, UTF-8 without one where it is that, else windows-1254, in which
 * spreadsheets in Turkish save CSV.
 */
export function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  // Spreadsheets, archives and pictures contain zero bytes. Text does not.
  if (bytes.includes(0)) throw new CsvProblem('csv_binary');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1254').decode(bytes);
  }
}

/** The separator: the most frequent of the usual ones in the first line, outside quotes. */
function separatorOf(text: string): string {
  const counts = { ',': 0, ';': 0, '\t': 0 };
  let isQuoted = false;
  // A loop, because a regular expression runs out of stack in a first line of millions of characters.
  for (const sign of text) {
    if (sign === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (sign === '\n' || sign === '\r') break;
    else if (sign === ',' || sign === ';' || sign === '\t') counts[sign] += 1;
  }
  return Object.entries(counts).reduce((best, one) => (one[1] > best[1] ? one : best))[0];
}

/** Further cells of a record are left out, so that millions of separators in one line cost no more than any other file. */
const maxCells = 256;

/** The records of a CSV text (RFC 4180, separated by comma, semicolon or tab), without empty ones; at most `maxRecords`. */
export function readCsv(text: string, maxRecords: number): CsvRecord[] {
  const separator = separatorOf(text);
  const records: CsvRecord[] = [];
  let cells: string[] = [];
  let line = 1;
  let began = 1;
  let at = 0;
  const endRecord = () => {
    if (cells.some(cell => cell.trim() !== '')) records.push({ line: began, cells });
    cells = [];
    began = line;
  };
  while (at < text.length && records.length < maxRecords) {
    let cell = '';
    if (text[at] === '"') {
      const opened = line;
      at += 1;
      for (;;) {
        const end = text.indexOf('"', at);
        if (end < 0) throw new CsvProblem('csv_quote', opened);
        cell += text.slice(at, end);
        at = end + 1;
        if (text[at] !== '"') break;
        cell += '"';
        at += 1;
      }
      line += cell.split('\n').length - 1;
    }
    // Text after a closing quote belongs to the cell, as spreadsheets read it.
    const from = at;
    while (at < text.length && text[at] !== separator && text[at] !== '\n' && text[at] !== '\r') at += 1;
    if (cells.length < maxCells) cells.push(cell + text.slice(from, at));
    if (text[at] === separator) {
      at += 1;
      if (at < text.length) continue;
      cells.push('');
    }
    if (text[at] === '\r' && text[at + 1] === '\n') at += 1;
    at += 1;
    line += 1;
    endRecord();
  }
  return records;
}

/** A word for comparison: without case, accents, spaces and signs, so that a header typed by hand is found too. */
export const plainWord = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ı', 'i')
    .replace(/[^a-z0-9]/g, '');
