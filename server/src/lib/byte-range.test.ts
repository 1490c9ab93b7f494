import { expect, test } from 'vitest';
import { readRange } from './byte-range.ts';

test.each([
  ['bytes=0-', { from: 0, to: 99 }],
  ['bytes=0-1', { from: 0, to: 1 }],
  ['bytes=99-99', { from: 99, to: 99 }],
  ['bytes=50-200', { from: 50, to: 99 }],
  ['bytes=-10', { from: 90, to: 99 }],
  ['bytes=-200', { from: 0, to: 99 }],
  ['bytes=100-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=5-2', undefined],
  ['bytes=0-1,5-6', undefined],
  ['bytes=-', undefined],
  ['bytes=1e1-2', undefined],
  ['items=0-1', undefined],
  ['x bytes=0-1', undefined],
  ['bytes=0-1 x', undefined],
  ['bytes=5-', { from: 5, to: 99 }],
  ['bytes=200-300', 'unsatisfiable'],
  [undefined, undefined],
])('reads %s of 100 bytes', (header, range) => {
  expect(readRange(header, 100)).toEqual(range);
});
