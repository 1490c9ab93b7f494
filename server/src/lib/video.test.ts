import { expect, test } from 'vitest';
import { box, mp4 } from '#test/videos.ts';
import { readVideoFile } from './video.ts';

test('an MP4 loses its metadata, and nothing else moves', () => {
  const place = box('udta', box('\xa9xyz', Buffer.from('+41.0082+028.9784/')));
  const file = mp4({
    moov: [box('trak', place, box('mdia', Buffer.alloc(20, 1))), place],
    more: [box('uuid', Buffer.from('secret place'))],
  });
  const read = readVideoFile(file)!;
  expect(read.kind).toBe('mp4');
  expect(read.bytes).toHaveLength(file.length);
  expect(read.bytes.toString('latin1')).not.toMatch(/udta|uuid|xyz|41\.0082|secret/);
  expect(read.bytes.indexOf('mdat')).toBe(file.indexOf('mdat'));
  expect(file.includes('secret place'), 'the upload itself is not changed').toBe(true);
});

test('boxes with a long size or the rest of the file are read', () => {
  const long = Buffer.alloc(16);
  long.writeUInt32BE(1);
  long.write('udta', 4);
  long.writeBigUInt64BE(20n, 8);
  const rest = Buffer.concat([Buffer.from([0, 0, 0, 0]), Buffer.from('mdatxx')]);
  const file = Buffer.concat([box('ftyp', Buffer.from('isom')), box('moov', long, Buffer.from('here')), rest]);
  expect(readVideoFile(file)!.bytes.toString('latin1')).not.toContain('here');
});

test('boxes that hold themselves are not followed', () => {
  const size = 4_000_000;
  const nested = Buffer.alloc(size);
  for (let at = 0; at < size; at += 8) {
    nested.writeUInt32BE(size - at, at);
    nested.write('moov', at + 4);
  }
  const file = Buffer.concat([box('ftyp', Buffer.from('isom')), nested, box('mdat')]);
  expect(readVideoFile(file)?.kind).toBe('mp4');
});

test('a WebM is known by its header', () => {
  const webm = Buffer.concat([
    Buffer.from('1a45dfa39f4286810142f7810142f2810442f381084282847765626d', 'hex'),
    Buffer.alloc(40),
  ]);
  expect(readVideoFile(webm)).toEqual({ kind: 'webm', bytes: webm });
});

test.each([
  ['nothing', Buffer.alloc(0)],
  ['a page', Buffer.from('<!doctype html><script>alert(1)</script>')],
  ['a Matroska file', Buffer.from('1a45dfa3934282886d6174726f736b61', 'hex')],
  [
    'a still picture in the same format',
    Buffer.concat([box('ftyp', Buffer.from('heic')), box('meta', Buffer.alloc(9)), box('mdat')]),
  ],
  [
    'a page behind the first box',
    Buffer.concat([box('ftyp', Buffer.from('isom')), Buffer.from('<script>alert(1)</script>')]),
  ],
  ['a box that ends behind the file', mp4({}).subarray(0, -1)],
  ['a box in a box that ends behind it', mp4({ moov: [Buffer.from('000000ff74726b20', 'hex')] })],
  ['a size below that of its head', Buffer.concat([mp4({}), Buffer.from('0000000466726565', 'hex')])],
  ['a long size beyond any file', Buffer.concat([mp4({}), Buffer.from('0000000166726565ffffffffffffffff', 'hex')])],
  ['no media', Buffer.concat([box('ftyp', Buffer.from('isom')), box('moov')])],
])('%s is no video', (_, file) => {
  expect(readVideoFile(file)).toBeUndefined();
});
