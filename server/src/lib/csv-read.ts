/** A CSV file as it can't be read: what is wrong, and in which line. */
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
  // A table of a spreadsheet, an archive, a picture: no text holds this.
  if (bytes.includes(0)) throw new CsvProblem('csv_binary');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1254').decode(bytes);
  }
}

/** What parts the cells: the commonest of the usual ones in the first line outside quotes. */
function separatorOf(text: string): string {
  const head = (/^(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(text)?.[0] ?? '').replace(/"(?:[^"]|"")*"/g, '');
  const times = (mark: string) => head.split(mark).length;
  return [';', '\t'].reduce((best, mark) => (times(mark) > times(best) ? mark : best), ',');
}

/** Cells of a record that are read: millions of separators in one line should cost no more than any other file. */
const maxCells = 256;

/** The records of a CSV text (RFC 4180, with any of `, ; tab`), without empty ones; no more than `most`. */
export function readCsv(text: string, most: number): CsvRecord[] {
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
  while (at < text.length && records.length < most) {
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
    // What follows a closing quote belongs to the cell, as spreadsheets read it.
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

/** A word as it is compared: without case, accents, spaces and signs, so that a header typed by hand is found too. */
export const plainWord = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ı', 'i')
    .replace(/[^a-z0-9]/g, '');
