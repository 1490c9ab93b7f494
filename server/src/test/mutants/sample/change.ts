import { createHash } from 'node:crypto';

/** A change of one place of a file. */
export interface Change {
  readonly file: string;
  /** The place in the text, from its first character to the one after its last. */
  readonly start: number;
  readonly end: number;
  readonly to: string;
}

/** Names a change by a hash of the lines that it touches. An edit of other lines, and of indentation, keeps the name. */
export function nameOf({ file, start, end, to }: Change, text: string): string {
  const first = text.lastIndexOf('\n', start - 1) + 1;
  const after = text.indexOf('\n', end);
  const lines = text.slice(first, after < 0 ? text.length : after);
  // Several places may have the same lines; then they are counted.
  const same = text.slice(0, first).split(lines.trim()).length;
  const column = inOneLine(text.slice(first, start)).length;
  const place = [inOneLine(lines), same, column, inOneLine(text.slice(start, end)), to].join('\n');
  const hash = createHash('sha256').update(place).digest('hex').slice(0, 8);
  return `${file} ${hash}: ${short(text.slice(start, end))} → ${short(to) || 'nothing'}`;
}

const inOneLine = (code: string) => code.replaceAll(/\s+/g, ' ').trim();
const short = (code: string) => inOneLine(code).slice(0, 90);
