import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const file = (name: string): string => path.join(import.meta.dirname, 'corpus', `${name}.txt`);

/** The stored inputs of a target, one per line in base64. */
export function readCorpus(name: string): Buffer[] {
  try {
    return readFileSync(file(name), 'utf8')
      .split('\n')
      .filter(line => line !== '')
      .map(line => Buffer.from(line, 'base64'));
  } catch {
    return [];
  }
}

/** Keeps the shortest inputs, so that the repository stays small. */
const kept = { inputs: 60, bytes: 600 };

export function writeCorpus(name: string, inputs: readonly Buffer[]): void {
  mkdirSync(path.dirname(file(name)), { recursive: true });
  const lines = [...new Set(inputs.filter(it => it.length <= kept.bytes).map(it => it.toString('base64')))]
    .sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
    .slice(0, kept.inputs);
  writeFileSync(file(name), lines.map(line => `${line}\n`).join(''));
}
