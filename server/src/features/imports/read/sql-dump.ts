import { Unreadable } from './reading.ts';

/** A row of a dump. The names of its table and columns are in lower case. `line` counts from 1. */
export interface SqlRow {
  readonly table: string;
  readonly line: number;
  readonly values: Readonly<Record<string, string | null>>;
}

interface Token {
  readonly kind: 'word' | 'text' | 'name' | 'sign' | 'end';
  readonly text: string;
}

/** The columns of tables in the order of their programs, for dumps without CREATE TABLE and without names of columns. */
const usual: Readonly<Record<string, readonly string[]>> = {
  radcheck: ['id', 'username', 'attribute', 'op', 'value'],
  radreply: ['id', 'username', 'attribute', 'op', 'value'],
  radgroupcheck: ['id', 'groupname', 'attribute', 'op', 'value'],
  radgroupreply: ['id', 'groupname', 'attribute', 'op', 'value'],
};

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', '0': '\0', Z: '\x1a' };
const copyEscapes: Readonly<Record<string, string>> = { ...escapes, f: '\f', v: '\v' };
const wordEnd = /[^\w$.+-]/g;

/** The next piece of a text; undefined at its end. */
export type More = () => string | undefined;

/** A text or a statement that never ends must not fill the memory. */
const longestToken = 32 * 1024 * 1024;

/** Reads tokens one after the other, in one pass. It holds no more of the text than the piece that it reads. */
class Scanner {
  readonly #more: More;
  readonly #backslash: boolean;
  #text: string;
  #at = 0;
  #line = 1;
  /** Where the line ends. */
  #lineEnd: number;

  constructor(text: string, more: More) {
    this.#text = text;
    this.#more = more;
    this.#lineEnd = this.#endOfLine(0);
    // PostgreSQL writes a backslash as it is, MySQL and MariaDB escape with it.
    this.#backslash = !/PostgreSQL database (?:cluster )?dump/.test(text.slice(0, 4096));
  }

  #endOfLine(from: number): number {
    const end = this.#text.indexOf('\n', from);
    return end < 0 ? this.#text.length : end;
  }

  /** The line of the place until which was read. */
  get line(): number {
    while (this.#lineEnd < this.#at) {
      this.#line += 1;
      this.#lineEnd = this.#endOfLine(this.#lineEnd + 1);
    }
    return this.#line;
  }

  /** Adds the next piece of the text, and forgets what was read. False at its end. */
  #refill(): boolean {
    const piece = this.#more();
    if (piece === undefined) return false;
    const { line } = this;
    const rest = this.#text.slice(this.#at);
    if (rest.length > longestToken) throw new Unreadable('import_line', { line });
    this.#text = rest + piece;
    this.#at = 0;
    this.#lineEnd = this.#endOfLine(0);
    return true;
  }

  #skipTo(found: number, length: number): void {
    this.#at = found < 0 ? this.#text.length : found + length;
  }

  #skipSpace(): void {
    const text = this.#text;
    for (;;) {
      const sign = text.charCodeAt(this.#at);
      if (sign <= 32) this.#at += 1;
      else if (sign === 45 && text.charCodeAt(this.#at + 1) === 45) this.#skipTo(text.indexOf('\n', this.#at), 1);
      else if (sign === 35) this.#skipTo(text.indexOf('\n', this.#at), 1);
      else if (sign === 47 && text.charCodeAt(this.#at + 1) === 42) this.#skipTo(text.indexOf('*/', this.#at + 2), 2);
      else return;
    }
  }

  /** Calls `read` at this place. At the end of a piece the value may be cut, so it is read again with the next piece. */
  #whole<T>(read: () => T): T {
    for (;;) {
      const from = { at: this.#at, line: this.#line, lineEnd: this.#lineEnd };
      let failure: unknown;
      let result: T | undefined;
      try {
        result = read();
        if (this.#at < this.#text.length) return result;
      } catch (error) {
        failure = error;
      }
      const to = { at: this.#at, line: this.#line, lineEnd: this.#lineEnd };
      this.#goTo(from);
      if (this.#refill()) continue;
      if (failure) throw failure;
      this.#goTo(to);
      return result as T;
    }
  }

  #goTo(place: { at: number; line: number; lineEnd: number }): void {
    this.#at = place.at;
    this.#line = place.line;
    this.#lineEnd = place.lineEnd;
  }

  next(): Token {
    return this.#whole(() => this.#token());
  }

  #token(): Token {
    this.#skipSpace();
    const text = this.#text;
    const sign = text[this.#at];
    if (sign === undefined) return { kind: 'end', text: '' };
    if (sign === "'" || sign === '"' || sign === '`') return this.#quoted(sign, this.#backslash && sign !== '`');
    if ((sign === 'E' || sign === 'e') && text[this.#at + 1] === "'") {
      this.#at += 1;
      return this.#quoted("'", true);
    }
    wordEnd.lastIndex = this.#at;
    const end = wordEnd.exec(text)?.index ?? text.length;
    if (end === this.#at) {
      this.#at += 1;
      return { kind: 'sign', text: sign };
    }
    const word = text.slice(this.#at, end);
    this.#at = end;
    return { kind: 'word', text: word };
  }

  #quoted(mark: string, escaped: boolean): Token {
    const text = this.#text;
    const opened = this.line;
    const parts: string[] = [];
    let from = this.#at + 1;
    for (let at = from; ; at += 1) {
      const sign = text[at];
      if (sign === undefined) throw new Unreadable('import_quote', { line: opened });
      if (sign === '\\' && escaped) {
        const letter = text[at + 1] ?? '';
        parts.push(text.slice(from, at), escapes[letter] ?? letter);
        at += 1;
        from = at + 1;
      } else if (sign === mark) {
        parts.push(text.slice(from, at));
        if (text[at + 1] !== mark) {
          this.#at = at + 1;
          break;
        }
        parts.push(mark);
        at += 1;
        from = at + 1;
      }
    }
    return { kind: mark === "'" ? 'text' : 'name', text: parts.join('') };
  }

  /** The rest of the line; the next token begins after it. */
  restOfLine(): string | undefined {
    return this.#whole(() => {
      if (this.#at >= this.#text.length) return undefined;
      const from = this.#at;
      this.#skipTo(this.#text.indexOf('\n', from), 1);
      return this.#text.slice(from, this.#at).replace(/\r?\n$/, '');
    });
  }
}

const isSign = (token: Token, text: string): boolean => token.kind === 'sign' && token.text === text;
const isWord = (token: Token, word: string): boolean => token.kind === 'word' && token.text.toLowerCase() === word;

function skipStatement(scanner: Scanner, token: Token): void {
  for (let it = token; it.kind !== 'end' && !isSign(it, ';'); ) it = scanner.next();
}

/** The name of a table without its schema, and the token after it. */
function readName(scanner: Scanner, first: Token): { name: string; after: Token } {
  let name = first.text;
  let after = scanner.next();
  // After a quoted name, the dot is a word of its own; without quotes it is part of the word.
  while (after.kind === 'word' && after.text === '.') {
    name = scanner.next().text;
    after = scanner.next();
  }
  if (name.endsWith('.')) {
    name = after.text;
    after = scanner.next();
  }
  return { name: name.slice(name.lastIndexOf('.') + 1).toLowerCase(), after };
}

const maxColumns = 200;

/** The names in a list, up to its closing parenthesis. */
function readColumns(scanner: Scanner): string[] {
  const columns: string[] = [];
  for (let it = scanner.next(); it.kind !== 'end' && !isSign(it, ')') && !isSign(it, ';'); it = scanner.next())
    if (it.kind !== 'sign' && columns.length < maxColumns) columns.push(it.text.toLowerCase());
  return columns;
}

const notColumns = new Set([
  'primary',
  'key',
  'unique',
  'index',
  'constraint',
  'foreign',
  'check',
  'fulltext',
  'exclude',
]);

/** The columns of CREATE TABLE: the first word of each part. */
function readDefinition(scanner: Scanner): string[] {
  const columns: string[] = [];
  let depth = 1;
  let starts = true;
  for (;;) {
    const it = scanner.next();
    if (it.kind === 'end' || (isSign(it, ';') && depth === 1)) return columns;
    if (isSign(it, '(')) depth += 1;
    else if (isSign(it, ')')) {
      depth -= 1;
      if (depth === 0) return columns;
    }
    if (depth === 1 && starts && it.kind !== 'sign' && columns.length < maxColumns)
      if (it.kind === 'name' || !notColumns.has(it.text.toLowerCase())) columns.push(it.text.toLowerCase());
    starts = depth === 1 && isSign(it, ',');
  }
}

function literal(token: Token): string | null {
  if (token.kind !== 'word') return token.text;
  if (/^null$/i.test(token.text)) return null;
  return /^0x(?:[0-9a-f]{2})+$/i.test(token.text) ? Buffer.from(token.text.slice(2), 'hex').toString() : token.text;
}

/** The values in a pair of parentheses. Of an expression, the last literal counts. */
function readTuple(scanner: Scanner): (string | null)[] {
  const values: (string | null)[] = [];
  let value: string | null = null;
  let depth = 1;
  for (;;) {
    const it = scanner.next();
    if (it.kind === 'end') throw new Unreadable('import_cut', { line: scanner.line });
    if (isSign(it, '(')) depth += 1;
    else if (isSign(it, ')')) depth -= 1;
    if (depth === 0 || (depth === 1 && isSign(it, ','))) {
      if (values.length < maxColumns) values.push(value);
      value = null;
      if (depth === 0) return values;
    } else if (it.kind !== 'sign') value = literal(it);
  }
}

const rowOf = (
  table: string,
  line: number,
  columns: readonly string[],
  values: readonly (string | null)[],
): SqlRow => ({ table, line, values: Object.fromEntries(columns.map((column, at) => [column, values[at] ?? null])) });

const copied = (cell: string): string | null =>
  cell === '\\N' ? null : cell.replace(/\\(.)/g, (_, letter: string) => copyEscapes[letter] ?? letter);

/**
 * The rows that a dump of MySQL, MariaDB or PostgreSQL inserts into some tables. Other statements are passed over, none is run.
 * `more` gives the rest of a dump of which `text` is the beginning only.
 */
export function* readSqlDump(
  text: string,
  tables: ReadonlySet<string>,
  more: More = () => undefined,
): Generator<SqlRow> {
  const scanner = new Scanner(text, more);
  const defined = new Map<string, readonly string[]>(Object.entries(usual));

  function* insert(): Generator<SqlRow> {
    let it = scanner.next();
    while (it.kind === 'word' && /^(?:low_priority|delayed|high_priority|ignore|into)$/i.test(it.text))
      it = scanner.next();
    const { name: table, after } = readName(scanner, it);
    it = after;
    let columns = defined.get(table) ?? [];
    if (isSign(it, '(')) {
      columns = readColumns(scanner);
      it = scanner.next();
    }
    while (it.kind === 'word' && !/^values?$/i.test(it.text)) it = scanner.next();
    if (it.kind !== 'word' || !tables.has(table)) return skipStatement(scanner, it);
    for (it = scanner.next(); isSign(it, '('); it = scanner.next()) {
      const { line } = scanner;
      yield rowOf(table, line, columns, readTuple(scanner));
      it = scanner.next();
      if (!isSign(it, ',')) break;
    }
    skipStatement(scanner, it);
  }

  function* copy(): Generator<SqlRow> {
    const { name: table, after } = readName(scanner, scanner.next());
    const columns = isSign(after, '(') ? readColumns(scanner) : (defined.get(table) ?? []);
    let it = isSign(after, '(') ? scanner.next() : after;
    if (!isWord(it, 'from')) return skipStatement(scanner, it);
    it = scanner.next();
    if (!isWord(it, 'stdin')) return skipStatement(scanner, it);
    scanner.restOfLine();
    for (;;) {
      const { line } = scanner;
      const row = scanner.restOfLine();
      if (row === undefined || row === '\\.') return;
      if (tables.has(table)) yield rowOf(table, line, columns, row.split('\t', maxColumns).map(copied));
    }
  }

  for (let it = scanner.next(); it.kind !== 'end'; it = scanner.next()) {
    if (isSign(it, ';')) continue;
    if (isWord(it, 'insert') || isWord(it, 'replace')) yield* insert();
    else if (isWord(it, 'copy')) yield* copy();
    else if (isWord(it, 'create')) {
      let next = scanner.next();
      if (isWord(next, 'table')) {
        next = scanner.next();
        while (next.kind === 'word' && /^(?:if|not|exists)$/i.test(next.text)) next = scanner.next();
        const { name, after } = readName(scanner, next);
        if (isSign(after, '(')) defined.set(name, readDefinition(scanner));
        next = isSign(after, ';') ? after : scanner.next();
      }
      skipStatement(scanner, next);
    } else skipStatement(scanner, it);
  }
}
