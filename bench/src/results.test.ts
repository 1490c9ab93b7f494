import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { beginResults, compareResults, describeComparison, type Results, readResults } from './results.ts';
import type { Row } from './table.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'portico-results-'));
afterAll(() => rmSync(folder, { recursive: true }));

const least = { least: 3.5 };
const most = { most: 500, unit: 'ms' };
const signIns = (ratio: number, lost = 0, perSecond = '1,000'): Row[] => [
  { work: 'sign-ins', ours: '', reference: '', ratio, goal: least },
  { work: `  at half of that load: ${perSecond}/s`, ours: '', reference: '', figure: 20, goal: most },
  { work: '  lost', ours: '', reference: '', figure: lost, goal: { most: 0, unit: '' } },
];
const run = (rows: Row[], more: Partial<Results> = {}): Results => ({
  ...{ at: '2026-11-25T12:00:00.000Z', commit: 'abc', cores: 2, load: [0.1, 1], scale: 0.1 },
  parts: [{ title: 'RADIUS', rows }],
  ...more,
});
const p95 = (figure: number): Row => ({ work: 'p95', ours: '', reference: '', ratio: figure / 10, figure, goal: most });

describe('the results of runs', () => {
  test('are written to a dated file and read back, alone or all of a folder', () => {
    const results = beginResults(0.1);
    results.add('RADIUS', signIns(3));
    const file = results.save(path.join(folder, 'made'));
    expect(path.basename(file)).toMatch(/^bench-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.json$/);
    expect(readResults(file)).toMatchObject([{ scale: 0.1, parts: [{ title: 'RADIUS', rows: signIns(3) }] }]);
    expect(readResults(path.dirname(file))).toEqual(readResults(file));
  });

  test('are refused where there are none', () => {
    expect(() => readResults(path.join(folder, 'nowhere'))).toThrow('There is no');
    expect(() => readResults(folder)).toThrow('has no results');
    for (const [i, text] of ['{', '{}', '[]'].entries()) {
      const file = path.join(folder, `other-${i}.json`);
      writeFileSync(file, text);
      expect(() => readResults(file)).toThrow('is no result');
    }
  });

  test('moved if they differ by more than 15 %, for the better or the worse as their goal says', () => {
    expect(compareResults([run(signIns(3))], [run(signIns(3.4, 0, '1,234'))])).toEqual({
      moved: [],
      compared: 3,
      alone: [],
    });
    const { moved } = compareResults([run([...signIns(3), p95(300)])], [run([...signIns(2), p95(200)])]);
    expect(moved.map(it => [it.name, it.verdict])).toEqual([
      ['RADIUS: sign-ins', 'worse'],
      ['RADIUS: p95', 'better'],
    ]);
    const [first] = compareResults(
      [run([{ work: 'x', ours: '', reference: '', figure: 1 }])],
      [run([{ work: 'x', ours: '', reference: '', figure: 2 }])],
    ).moved;
    expect(first).toMatchObject({ before: 1, after: 2, verdict: 'moved' });
  });

  test('did not move if the runs of one side differ as much among themselves', () => {
    const noisy = [2, 3, 4].map(ratio => run(signIns(ratio)));
    const calm = [2.9, 3, 3.1].map(ratio => run(signIns(ratio)));
    const after = [3.7, 3.8, 3.9].map(ratio => run(signIns(ratio)));
    expect(compareResults(noisy, after).moved).toEqual([]);
    expect(compareResults(calm, after).moved).toMatchObject([{ before: 3, after: 3.8, verdict: 'better' }]);
  });

  test('moved with the first thing lost; what one side lacks is named', () => {
    const { moved, alone } = compareResults([run(signIns(3))], [run([...signIns(3, 1), p95(1)])]);
    expect(moved).toMatchObject([{ name: 'RADIUS: sign-ins: lost', before: 0, after: 1, verdict: 'worse' }]);
    expect(alone).toEqual(['RADIUS: p95']);
  });

  test('did not move from zero to zero, nor where some runs of a side lost something and most did not', () => {
    const lost = (...counts: number[]) => counts.map(count => run(signIns(3, count)));
    expect(compareResults(lost(0, 0), lost(0, 0, 4)).moved).toEqual([]);
    expect(compareResults(lost(0, 0, 4), lost(0, 0)).moved).toEqual([]);
    expect(compareResults(lost(0, 0, 4), lost(1, 1)).moved).toEqual([]);
  });

  test('are described with their commits and what may deceive', () => {
    const text = describeComparison([run(signIns(3))], [run(signIns(2), { commit: 'def+', load: [9, 9], scale: 1 })]);
    expect(text.split('\n')).toEqual([
      'before: 1 of abc, 2 cores, load 0.1, 1.0',
      'after:  1 of def+, 2 cores, load 9.0, 9.0',
      'The runs have different amounts of data: --scale=0.1, 1',
      'The machine was busy: figures without a reference say little.',
      '',
      'worse  RADIUS: sign-ins: 3 → 2 (noise 15 %)',
      '1 of 3 values moved beyond noise.',
    ]);
  });
});
