import pg from 'pg';
// @ts-expect-error The driver's types leave it out.
import utils from 'pg/lib/utils.js';
import type { Field, Texts } from './json-rows.ts';

/** What is asked in a round trip; a name makes the server parse and plan it once per connection. */
export interface Question {
  readonly text: string;
  readonly name: string | undefined;
  readonly values: readonly unknown[];
}

export interface Answer {
  readonly fields: readonly Field[];
  readonly rows: Texts[];
  /** How many rows it returned or touched. */
  readonly count: number;
}

interface Part extends Question {
  /** As they go over the wire. */
  readonly encoded: unknown[];
  readonly rows: Texts[];
  fields: readonly Field[] | undefined;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

/** The part of the driver's connection that it lets queries of one's own speak through. */
interface Wire {
  readonly stream: { readonly writable: boolean; write(bytes: Uint8Array): unknown };
  readonly parsedStatements: Record<string, string>;
  parse(it: { name: string; text: string }): void;
  bind(it: { portal: string; statement: string; values: unknown[] }): void;
  describe(it: { type: 'P'; name: string }): void;
  execute(it: { portal: string; rows: number }): void;
  close(it: { type: 'S'; name: string }): void;
  sync(): void;
}

const { prepareValue } = utils as { prepareValue: (value: unknown) => unknown };

interface Known {
  /** What a statement's columns are never changes on its connection: PostgreSQL refuses to run it instead. */
  readonly fields: Map<string, readonly Field[]>;
  /** The connection with a stream that only gathers: a write for each message costs more than the message. */
  readonly gather: Wire;
  readonly pieces: Uint8Array[];
}

const connections = new WeakMap<Wire, Known>();
function knownOf(wire: Wire): Known {
  const known = connections.get(wire);
  if (known) return known;
  const pieces: Uint8Array[] = [];
  const stream = { writable: true, write: (piece: Uint8Array) => pieces.push(piece) };
  const made = { fields: new Map(), pieces, gather: Object.create(wire, { stream: { value: stream } }) as Wire };
  connections.set(wire, made);
  return made;
}

/**
 * Questions that are sent with one Sync at their end: PostgreSQL makes one transaction of them, answers all in one piece,
 * and after a failure looks at none of those behind it. What the driver sends for one query each has a Sync of its own, and so
 * an answer that is written, woken up for and read by itself.
 */
export class RoundTrip extends pg.Query {
  readonly #parts: Part[] = [];
  readonly #values: readonly unknown[];
  #at = 0;
  #wire: Wire | undefined;
  readonly #end: { resolve: () => void; reject: (error: Error) => void };
  /** When all is answered and committed. */
  readonly done: Promise<void>;

  /** `values`: of what it begins with. */
  constructor(values: readonly unknown[]) {
    super({ text: '' });
    this.#values = values;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.done = promise;
    this.#end = { resolve, reject };
  }

  /** What is asked before all else, whose answer nobody waits for; the last one said counts. */
  begin({ text, name }: Pick<Question, 'text' | 'name'>): void {
    const nobody = () => undefined;
    const values = this.#values;
    const first = { text, name, values, encoded: [...values], rows: [], fields: undefined };
    this.#parts[0] = { ...first, resolve: nobody, reject: nobody };
  }

  /** Adds a question; it is answered once the trip is under way. */
  ask({ text, name, values }: Question): Promise<Answer> {
    // Before anything is sent: half a trip would never be answered.
    const encoded = values.map(value => prepareValue(value));
    return new Promise((resolve, reject) => {
      this.#parts.push({ text, name, values, encoded, rows: [], fields: undefined, resolve, reject });
    });
  }

  override submit = (connection: unknown): void => {
    const wire = connection as Wire;
    this.#wire = wire;
    const { fields, gather, pieces } = knownOf(wire);
    const coming = new Set<string>();
    for (const part of this.#parts) {
      const { name = '', text, encoded } = part;
      const parsed = name !== '' && wire.parsedStatements[name] === text;
      part.fields = parsed ? fields.get(name) : undefined;
      if (!parsed && !coming.has(name)) gather.parse({ name, text });
      if (!parsed && name) coming.add(name);
      gather.bind({ portal: '', statement: name, values: encoded });
      if (!part.fields) gather.describe({ type: 'P', name: '' });
      gather.execute({ portal: '', rows: 0 });
    }
    gather.sync();
    if (wire.stream.writable) wire.stream.write(Buffer.concat(pieces));
    pieces.length = 0;
  };

  handleRowDescription({ fields }: { fields: Field[] }): void {
    this.#parts[this.#at]!.fields = fields;
  }

  handleDataRow({ fields }: { fields: Texts }): void {
    this.#parts[this.#at]!.rows.push(fields);
  }

  handleCommandComplete({ text }: { text: string }): void {
    const part = this.#parts[this.#at++]!;
    part.fields ??= [];
    if (part.name) {
      this.#wire!.parsedStatements[part.name] = part.text;
      knownOf(this.#wire!).fields.set(part.name, part.fields);
    }
    part.resolve({ fields: part.fields, rows: part.rows, count: Number(/\d+$/.exec(text)?.[0] ?? 0) });
  }

  handleError(error: Error): void {
    for (const { name, text, reject } of this.#parts.slice(this.#at)) {
      // It may have been parsed before it failed: the name is free again either way.
      if (name && this.#wire && this.#wire.parsedStatements[name] !== text) this.#wire.close({ type: 'S', name });
      reject(error);
    }
    this.#end.reject(error);
  }

  handleReadyForQuery(): void {
    this.#end.resolve();
  }
}
