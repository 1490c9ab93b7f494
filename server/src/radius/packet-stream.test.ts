import { expect, test } from 'vitest';
import { createPacketStream } from './packet-stream.ts';

const packet = (length: number, fill: number): Buffer => {
  const bytes = Buffer.alloc(length, fill);
  bytes.writeUInt16BE(length, 2);
  return bytes;
};
const start = () => {
  const taken: Buffer[] = [];
  return { taken, ...createPacketStream(it => taken.push(it)) };
};
const [first, second] = [packet(20, 1), packet(37, 2)];

test('packets are found however their bytes arrive', () => {
  const both = Buffer.concat([first, second]);
  for (let size = 1; size <= both.length; size++) {
    const { taken, push, held } = start();
    for (let at = 0; at < both.length; at += size) expect(push(both.subarray(at, at + size))).toBe(true);
    expect(taken, `${size} bytes at a time`).toEqual([first, second]);
    expect(held()).toBe(0);
  }
});

test('the bytes of an incomplete packet are counted', () => {
  const { push, held, taken } = start();
  push(first.subarray(0, 3));
  expect(held()).toBe(3);
  push(first.subarray(3, 10));
  expect(held()).toBe(10);
  push(Buffer.concat([first.subarray(10), second.subarray(0, 5)]));
  expect(held()).toBe(5);
  expect(taken).toEqual([first]);
});

test('a length that no packet has ends the stream', () => {
  for (const length of [0, 19, 4097, 65_535]) {
    const head = Buffer.alloc(20);
    head.writeUInt16BE(length, 2);
    const { push, taken } = start();
    expect(push(head), `${length}`).toBe(false);
    expect(taken).toEqual([]);
  }
  for (const length of [20, 4096]) {
    const { push, taken } = start();
    expect(push(packet(length, 1)), `${length}`).toBe(true);
    expect(taken).toEqual([packet(length, 1)]);
  }
});
