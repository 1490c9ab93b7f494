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
  readonly stream: { cork(): void; uncork(): void };
  readonly parsedStatements: Record<string, string>;
  parse(it: { name: string; text: string }): void;
  bind(it: { portal: string; statement: string; values: unknown[] }): void;
  describe(it: { type: 'P'; name: string }): void;
  execute(it: { portal: string; rows: number }): void;
  close(it: { type: 'S'; name: string }): void;
  sync(): void;
}

const { prepareValue } = utils as { prepareValue: (value: unknown) => unknown };

// What a statement's columns are never changes on its connection: PostgreSQL refuses to run it instead.
const known = new WeakMap<Wire, Map<string, readonly Field[]>>();
function fieldsOn(wire: Wire): Map<string, readonly Field[]> {
  const fields = known.get(wire) ?? new Map<string, readonly Field[]>();
  known.set(wire, fields);
  return fields;
}

/**
 * Questions that are sent with one Sync at their end: PostgreSQL makes one transaction of them, answers all in one piece,
 * and after a failure looks at none of those behind it. What the driver sends for one query each has a Sync of its own, and so
 * an answer that is written, woken up for and read by itself.
 */
export class RoundTrip extends pg.Query {
  readonly #parts: Part[] = [];
  #at = 0;
  #wire: Wire | undefined;
  readonly #end: { resolve: () => void; reject: (error: Error) => void };
  /** When all is answered and committed. */
  readonly done: Promise<void>;

  constructor() {
    super({ text: '' });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.done = promise;
    this.#end = { resolve, reject };
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
    const fields = fieldsOn(wire);
    const coming = new Set<string>();
    wire.stream.cork();
    for (const part of this.#parts) {
      const { name = '', text, encoded } = part;
      const parsed = name !== '' && wire.parsedStatements[name] === text;
      part.fields = parsed ? fields.get(name) : undefined;
      if (!parsed && !coming.has(name)) wire.parse({ name, text });
      if (name) coming.add(name);
      wire.bind({ portal: '', statement: name, values: encoded });
      if (!part.fields) wire.describe({ type: 'P', name: '' });
      wire.execute({ portal: '', rows: 0 });
    }
    wire.sync();
    wire.stream.uncork();
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
      fieldsOn(this.#wire!).set(part.name, part.fields);
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
