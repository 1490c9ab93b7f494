import type { Buffer } from 'node:buffer';
import { byteTargets } from './targets.bytes.ts';
import { textTargets } from './targets.text.ts';

/** Something that reads what strangers send. `run` throws only what the code around it expects, which it catches itself. */
export interface Target {
  readonly name: string;
  readonly longest: number;
  readonly seeds: readonly Buffer[];
  /** Words that inputs are made of. */
  readonly words: readonly Buffer[];
  readonly run: (input: Buffer) => void;
}

export const targets: readonly Target[] = [...byteTargets, ...textTargets];
