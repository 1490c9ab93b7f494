import { describe, expect, test } from 'vitest';
import { readCorpus } from './corpus.ts';
import { tryInput, tryMany } from './engine.ts';
import { targets } from './targets.ts';

const told = (findings: readonly ({ input: Buffer; problem: string } | undefined)[]): string[] =>
  findings.flatMap(it => (it ? [`${it.problem}\n${it.input.toString('base64')}`] : []));

describe.each(targets)('what strangers send to $name', target => {
  test('does not crash for the inputs of the corpus', () => {
    expect(told([...target.seeds, ...readCorpus(target.name)].map(input => tryInput(target, input)))).toEqual([]);
  });

  test('does not crash for mutated copies of them', () => {
    const inputs = [...target.seeds, ...readCorpus(target.name)];
    expect(told(tryMany(target, inputs, { runs: 2000, seed: 20_261_122 }))).toEqual([]);
  });
});

test('an input that keeps the processor busy is a problem on any machine', () => {
  const busy = {
    name: 'busy',
    longest: 100,
    seeds: [],
    words: [],
    run: (input: Buffer) => void /^(a+)+$/.test(String(input)),
  };
  expect(tryInput(busy, Buffer.from(`${'a'.repeat(27)}b`))?.problem).toMatch(/^slow: \d+ ms$/);
  expect(tryInput(busy, Buffer.from('aaaab'))).toBeUndefined();
});
