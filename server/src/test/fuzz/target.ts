import type { Buffer } from 'node:buffer';

/** A parser of untrusted input. `run` catches the errors that its callers expect. */
export interface Target {
  readonly name: string;
  readonly longest: number;
  readonly seeds: readonly Buffer[];
  /** Fragments for mutations. */
  readonly words: readonly Buffer[];
  readonly run: (input: Buffer) => void;
}
