import pg from 'pg';

/** Rows as the JSON text that their list is on the wire: what is only passed on need not become objects first. */
export class JsonRows<R> {
  declare readonly row: R;
  readonly text: string;
  readonly length: number;
  constructor(text: string, length: number) {
    this.text = text;
    this.length = length;
  }
}

/** Rows as their columns' texts. */
export type Texts = (string | null)[];

export interface Field {
  readonly name: string;
  readonly dataTypeID: number;
}

/** Makes a column's text of what the database holds in it, and of other columns of the row. */
export type Remake = (text: string, column: (name: string) => string | null) => string | null;

type Remakes = Readonly<Record<string, Remake>>;
type Encode = (text: string) => string;
interface Coding {
  readonly encode: Encode;
  /** What stands around what `encode` makes. */
  readonly quote: '"' | '';
}
interface Step extends Coding {
  /** What stands before the value: brackets, commas and its name. */
  readonly head: string;
  readonly tail: string;
  /** Of an object's first column: how many columns the object has; it is null where this one is. */
  readonly whole: number;
  /** Before an object that is null. */
  readonly before: string;
}

// All but quotes, backslashes, control characters and halves of surrogate pairs stand in JSON as they are.
const unusual = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;
const escape: Encode = text => (unusual.test(text) ? JSON.stringify(text).slice(1, -1) : text);
const asItIs: Encode = text => text;
const { builtins } = pg.types;
const parseTime = pg.types.getTypeParser(builtins.TIMESTAMPTZ) as (text: string) => string;
// `2026-11-20 20:13:22.5+00`, as long as the year has four digits.
const time: Encode = text =>
  text[10] === ' ' && text.endsWith('+00') ? `${text.slice(0, 10)}T${text.slice(11, -3)}Z` : parseTime(text);

const bare = (encode: Encode): Coding => ({ encode, quote: '' });
const quoted = (encode: Encode): Coding => ({ encode, quote: '"' });
const codings = new Map<number, Coding>([
  [builtins.BOOL, bare(text => (text === 't' ? 'true' : 'false'))],
  [builtins.INT2, bare(asItIs)],
  [builtins.INT4, bare(asItIs)],
  [builtins.INT8, bare(asItIs)],
  [builtins.JSON, bare(asItIs)],
  [builtins.JSONB, bare(asItIs)],
  [builtins.UUID, quoted(asItIs)],
  [builtins.TEXT, quoted(escape)],
  [builtins.MACADDR, quoted(text => text.toUpperCase())],
  [builtins.TIMESTAMPTZ, quoted(time)],
]);

/** As the type's parser and JSON have it, for those that have no shorter way. */
function byParser(type: number): Coding {
  const parse = pg.types.getTypeParser(type) as (text: string) => unknown;
  return bare(text => JSON.stringify(parse(text)));
}

const prefixOf = (name: string | undefined): string =>
  name?.split('.', 2)[1] === undefined ? '' : name.split('.', 1)[0]!;

function stepsOf(fields: readonly Field[]): Step[] {
  return fields.map(({ name, dataTypeID }, i) => {
    const prefix = prefixOf(name);
    const opens = prefix !== '' && prefixOf(fields[i - 1]?.name) !== prefix;
    const closes = prefix !== '' && prefixOf(fields[i + 1]?.name) !== prefix;
    const comma = i === 0 ? '{' : ',';
    const own = JSON.stringify(prefix ? name.slice(prefix.length + 1) : name);
    const before = `${comma}${JSON.stringify(prefix)}:`;
    let whole = 0;
    if (opens) while (prefixOf(fields[i + whole]?.name) === prefix) whole++;
    return {
      head: opens ? `${before}{${own}:` : `${comma}${own}:`,
      tail: closes ? '}' : '',
      ...(codings.get(dataTypeID) ?? byParser(dataTypeID)),
      whole,
      before,
    };
  });
}

type Writer = (rows: readonly Texts[], remakes: Remakes) => string;
const untouched: Remakes = {};
// A statement's columns are the same list each time it is asked on a connection; what is remade of them knows who asks.
const writers = new WeakMap<readonly Field[], Writer>();

/** What writes rows of these columns; those named `a.b` become one object `a`, null where its first column is. */
export function rowWriter(fields: readonly Field[], remakes: Remakes = untouched): (rows: readonly Texts[]) => string {
  const write = writers.get(fields) ?? makeWriter(fields);
  writers.set(fields, write);
  return rows => write(rows, remakes);
}

const value = 0;
const none = 1;
/** An object that is null: its columns are passed over. Before the first column it stands for nothing at all. */
const noObject = 2;
const kinds = [value, none, noObject] as const;

/** For each kind of the column before and of its own, what is written in front of each column's value; and what ends a row. */
function jointsOf(steps: readonly Step[]): { joints: string[][]; ends: string[] } {
  const close = (i: number, kind: number): string => {
    const step = kind === noObject ? undefined : steps[i];
    return step ? (kind === value ? step.quote : '') + step.tail : '';
  };
  const open = ({ head, before, quote }: Step, kind: number): string =>
    kind === noObject ? `${before}null` : head + (kind === value ? quote : 'null');
  return {
    joints: kinds.flatMap(left => kinds.map(kind => steps.map((step, i) => close(i - 1, left) + open(step, kind)))),
    ends: kinds.map(left => `${close(steps.length - 1, left)}}`),
  };
}

// A list is thousands of pieces, and each that is added leaves something behind: what stands between two values is one.
function makeWriter(fields: readonly Field[]): Writer {
  const steps = stepsOf(fields);
  const { joints, ends } = jointsOf(steps);
  const at = new Map(fields.map(({ name }, i) => [name, i]));
  const row = (texts: Texts, remade: readonly (Remake | undefined)[]): string => {
    let out = '';
    let left: number = noObject;
    for (let i = 0; i < steps.length; i++) {
      const { encode, whole } = steps[i]!;
      const remake = remade[i];
      let text = texts[i]!;
      const isObject = text === null && whole > 0;
      if (remake && text !== null) text = remake(text, name => texts[at.get(name)!]!)!;
      const kind = isObject ? noObject : text === null ? none : value;
      out += joints[left * kinds.length + kind]![i]!;
      if (kind === value) out += encode(text);
      if (isObject) i += whole - 1;
      left = kind;
    }
    return out + ends[left]!;
  };
  const asTheyAre: (Remake | undefined)[] = fields.map(() => undefined);
  return (rows, remakes) => {
    const remade = remakes === untouched ? asTheyAre : fields.map(({ name }) => remakes[name]);
    return `[${rows.map(texts => row(texts, remade)).join(',')}]`;
  };
}

type Parse = (text: string) => unknown;
const parsersOf = new WeakMap<readonly Field[], Parse[]>();

/** Rows as objects whose values have their types, as the driver makes them. */
export function objectsOf<R>(fields: readonly Field[], rows: readonly Texts[]): R[] {
  const parsers =
    parsersOf.get(fields) ?? fields.map(({ dataTypeID }) => pg.types.getTypeParser(dataTypeID) as unknown as Parse);
  parsersOf.set(fields, parsers);
  return rows.map(texts => {
    const row: Record<string, unknown> = {};
    for (let i = 0; i < fields.length; i++) {
      const text = texts[i]!;
      row[fields[i]!.name] = text === null ? null : parsers[i]!(text);
    }
    return row as R;
  });
}
