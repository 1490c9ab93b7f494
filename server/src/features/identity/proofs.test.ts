import { expect, test } from 'vitest';
import type { LineProof } from '#syslog/proof.ts';
import { isProven, isUnforgeable, lineProof, lineRank, sessionProof, tieProof } from './proofs.ts';

const line = (proof: LineProof | undefined) => ({ proof });

test('a log line is proven by the certificate of its router, the word of an operator, or its address', () => {
  expect(lineProof(line('certificate'))).toBe('certificate');
  expect(lineProof(line('operator'))).toBe('operator');
  for (const proof of ['radsec', 'radius', 'poll'] as const) expect(lineProof(line(proof))).toBe('address');
  expect(lineProof(line(undefined))).toBe('unproven');
  expect(lineProof(undefined)).toBe('unproven');
});

test('a session is proven by the accounting of the router, or only by the portal', () => {
  expect(sessionProof({ reported: true })).toBe('accounting');
  expect(sessionProof({ reported: false })).toBe('portal');
});

test('a line that belongs to a guest is as good as the weaker of line and session', () => {
  expect(tieProof(line('certificate'), { reported: true })).toBe('certificate');
  expect(tieProof(line('certificate'), { reported: false })).toBe('portal');
  expect(tieProof(line('operator'), { reported: false })).toBe('portal');
  expect(tieProof(line(undefined), { reported: true })).toBe('unproven');
  expect(tieProof(undefined, { reported: false })).toBe('unproven');
});

test('lines that others could have sent rank behind better ones', () => {
  const byProof = (['certificate', 'radius', 'operator', undefined] as const).map(proof => lineRank(line(proof)));
  expect(byProof).toEqual([...byProof].sort((a, b) => a - b));
  expect(new Set(byProof).size).toBe(4);
  expect(lineRank(line('poll'))).toBe(lineRank(line('radius')));
});

test.for([
  ['certificate', true, true],
  ['accounting', true, true],
  ['address', false, true],
  ['operator', false, true],
  ['portal', false, false],
  ['unproven', false, false],
] as const)('%s: cannot be forged: %s, was checked when it came: %s', ([proof, unforgeable, proven]) => {
  expect([isUnforgeable(proof), isProven(proof)]).toEqual([unforgeable, proven]);
});
