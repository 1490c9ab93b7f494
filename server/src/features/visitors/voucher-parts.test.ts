import { expect, test } from 'vitest';
import type { VoucherPart } from './voucher-guests.queries.ts';
import { secondsKept } from './voucher-parts.ts';

/** The parts of a guest, the newest first. */
const guest = (left: number | null, ...parts: [id: string, added: number | null, begins?: number][]): VoucherPart[] =>
  parts.map(([id, added, begins = null]) => ({ visitor_id: 'guest', id, left, added, begins: begins ?? null }));
const kept = (parts: VoucherPart[], ...ended: string[]) => secondsKept(parts, new Set(ended));

test('the only voucher of a guest takes the whole access with it', () => {
  expect(kept(guest(3600, ['a', null]), 'a')).toEqual([{ id: 'guest', seconds: 0 }]);
});

test('of two vouchers each takes its own part only', () => {
  const parts = guest(5000, ['b', 3600], ['a', null]);
  expect(kept(parts, 'b')).toEqual([{ id: 'guest', seconds: 1400 }]);
  expect(kept(parts, 'a')).toEqual([{ id: 'guest', seconds: 3600 }]);
  expect(kept(parts, 'a', 'b')).toEqual([{ id: 'guest', seconds: 0 }]);
  expect(kept(parts)).toEqual([{ id: 'guest', seconds: 5000 }]);
});

test('a part that began in the past has only the rest of it', () => {
  const parts = guest(1000, ['b', 3600], ['a', null]);
  expect(kept(parts, 'b')).toEqual([{ id: 'guest', seconds: 0 }]);
  expect(kept(parts, 'a')).toEqual([{ id: 'guest', seconds: 1000 }]);
});

test('of three vouchers the one in the middle leaves what is before and after it', () => {
  const parts = guest(9000, ['c', 3000], ['b', 4000], ['a', null]);
  expect(kept(parts, 'b')).toEqual([{ id: 'guest', seconds: 5000 }]);
  expect(kept(parts, 'a', 'c')).toEqual([{ id: 'guest', seconds: 4000 }]);
});

test('a voucher without an end that is taken away leaves the time until it began', () => {
  const parts = guest(null, ['b', null, 600], ['a', null]);
  expect(kept(parts, 'b')).toEqual([{ id: 'guest', seconds: 600 }]);
  // The access goes on without an end.
  expect(kept(parts, 'a')).toEqual([]);
  expect(kept(guest(null, ['b', null], ['a', null]), 'b')).toEqual([{ id: 'guest', seconds: 0 }]);
});

test('guests are counted each for itself', () => {
  const other = guest(700, ['x', null]).map(part => ({ ...part, visitor_id: 'other' }));
  expect(kept([...guest(5000, ['b', 3600], ['a', null]), ...other], 'b')).toEqual([
    { id: 'guest', seconds: 1400 },
    { id: 'other', seconds: 700 },
  ]);
});
