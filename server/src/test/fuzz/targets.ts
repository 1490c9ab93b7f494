import type { Buffer } from 'node:buffer';
import { byteTargets } from './targets.bytes.ts';
import { textTargets } from './targets.text.ts';

/** A parser of untrusted input. `run` catches the errors that its callers expect. */
export interface Target {
  readonly name: string;
  readonly longest: number;
  readonly seeds: readonly Buffer[];
  /** Fragments for mutations. */
  readonly words: readonly Buffer[];
  readonly run: (input: Buffer) => void;
}

export const targets: readonly Target[] = [...byteTargets, ...textTargets];
