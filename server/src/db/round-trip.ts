import pg from 'pg';
// @ts-expect-error The driver's types leave it out.
import utils from 'pg/lib/utils.js';
import type { Field, Texts } from './json-rows.ts';

/** What is asked in a round trip; a name makes the server parse and plan it once per connection. */
export interface Question {
  readonly text: string;
  readonly name: string | undefined;
  readonly values: readonly unknown[];
  /** How its values go over the wire, once it was asked: what is asked again says it again. */
  bound?: Uint8Array;
}

export interface Answer {
  readonly fields: readonly Field[];
  readonly rows: Texts[];
  /** Such as `SELECT 3`. */
  readonly command: string;
}

interface Part {
  readonly question: Question;
  readonly rows: Texts[];
  fields: readonly Field[] | undefined;
  /** Whether the connection had parsed its statement before. */
  isParsed: boolean;
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

// A connection to nowhere, to have messages without sending them: a write for each costs more than the message.
let latest: Uint8Array = new Uint8Array();
const nowhere = new pg.Connection({
  stream: { writable: true, write: (bytes: Uint8Array) => (latest = bytes) } as never,
}) as unknown as Wire;
function message(say: (wire: Wire) => void): Uint8Array {
  say(nowhere);
  return latest;
}
const describe = message(wire => wire.describe({ type: 'P', name: '' }));
const execute = message(wire => wire.execute({ portal: '', rows: 0 }));
const sync = message(wire => wire.sync());
const bind = ({ name = '', values }: Question): Uint8Array =>
  message(wire => wire.bind({ portal: '', statement: name, values: values.map(value => prepareValue(value)) }));

/** What a statement's columns are never changes on its connection: PostgreSQL refuses to run it instead. */
const columns = new WeakMap<Wire, Map<string, readonly Field[]>>();
function columnsOf(wire: Wire): Map<string, readonly Field[]> {
  const known = columns.get(wire) ?? new Map<string, readonly Field[]>();
  columns.set(wire, known);
  return known;
}

const nobody = () => undefined;

/**
 * Questions that are sent with one Sync at their end: PostgreSQL makes one transaction of them, answers all in one piece,
 * and after a failure looks at none of those behind it. What the driver sends for one query each has a Sync of its own, and so
 * an answer that is written, woken up for and read by itself.
 */
export class RoundTrip {
  readonly #parts: Part[];
  #at = 0;
  #wire: Wire | undefined;
  #end: (failed: Error | undefined) => void = nobody;
  /** When all is answered and committed; what it failed of. */
  readonly done: Promise<Error | undefined> = new Promise(resolve => {
    this.#end = resolve;
  });

  /** `first` is asked before all else, and nobody waits for its answer. */
  constructor(first: Question) {
    this.#parts = [partOf(first, nobody, nobody)];
  }

  /** Asks something else first. */
  begin(first: Question): void {
    this.#parts[0] = partOf(first, nobody, nobody);
  }

  /** Adds a question; it is answered once the trip is under way. */
  ask(question: Question): Promise<Answer> {
    // Before anything is sent: half a trip would never be answered.
    question.bound ??= bind(question);
    return new Promise((resolve, reject) => {
      this.#parts.push(partOf(question, resolve, reject));
    });
  }

  /** Called by the driver. */
  submit(connection: unknown): void {
    const wire = connection as Wire;
    this.#wire = wire;
    const known = columnsOf(wire);
    const pieces: Uint8Array[] = [];
    let coming: Set<string> | undefined;
    for (const part of this.#parts) {
      const { question } = part;
      const { name = '', text } = question;
      part.isParsed = name !== '' && wire.parsedStatements[name] === text;
      if (part.isParsed) part.fields = known.get(name);
      else {
        if (!coming?.has(name)) pieces.push(message(it => it.parse({ name, text })));
        if (name) (coming ??= new Set()).add(name);
      }
      pieces.push((question.bound ??= bind(question)));
      if (!part.fields) pieces.push(describe);
      pieces.push(execute);
    }
    pieces.push(sync);
    if (wire.stream.writable) wire.stream.write(Buffer.concat(pieces));
  }

  handleRowDescription({ fields }: { fields: Field[] }): void {
    this.#parts[this.#at]!.fields = fields;
  }

  handleDataRow({ fields }: { fields: Texts }): void {
    this.#parts[this.#at]!.rows.push(fields);
  }

  handleCommandComplete({ text: command }: { text: string }): void {
    const part = this.#parts[this.#at++]!;
    const { fields = [], rows, question } = part;
    if (question.name && !part.isParsed) {
      this.#wire!.parsedStatements[question.name] = question.text;
      columnsOf(this.#wire!).set(question.name, fields);
    }
    part.resolve({ fields, rows, command });
  }

  handleError(error: Error): void {
    for (const { question, reject } of this.#parts.slice(this.#at)) {
      const { name, text } = question;
      // It may have been parsed before it failed: the name is free again either way.
      if (name && this.#wire && this.#wire.parsedStatements[name] !== text) this.#wire.close({ type: 'S', name });
      reject(error);
    }
    this.#end(error);
  }

  handleReadyForQuery(): void {
    this.#end(undefined);
  }
}

function partOf(question: Question, resolve: Part['resolve'], reject: Part['reject']): Part {
  return { question, rows: [], fields: undefined, isParsed: false, resolve, reject };
}

// The driver lets nothing else speak through a pipelined connection. What its queries are made with is not needed here, and
// takes longer to make than all of a trip.
Object.setPrototypeOf(RoundTrip.prototype, pg.Query.prototype);
