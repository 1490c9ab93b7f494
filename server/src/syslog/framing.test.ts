import { expect, onTestFinished, test, vi } from 'vitest';
import { createFramer } from './framing.ts';

function framed(chunks: readonly (string | Buffer)[], longest = 100): string[] {
  const out: string[] = [];
  const framer = createFramer(longest, (message, cut) => out.push(message.toString('latin1') + (cut ? '…' : '')));
  for (const chunk of chunks) framer.push(Buffer.from(chunk as string, 'latin1'));
  framer.end();
  return out;
}

test('splits messages with newlines and octet counts, mixed, for every size of chunk', () => {
  const stream = '<1>one\n10 <2>two\nxyz<3>three\n6 <4>fou5 <5>ab12 not counted\n';
  const whole = ['<1>one', '<2>two\nxyz', '<3>three', '<4>fou', '<5>ab', '12 not counted'];
  expect(framed([stream])).toEqual(whole);
  expect(framed([...stream])).toEqual(whole);
  for (let size = 2; size < 20; size++) {
    const pieces = stream.match(new RegExp(`[^]{1,${size}}`, 'g')) as string[];
    expect(framed(pieces)).toEqual(whole);
  }
});

test('does not read a number at the beginning of a line as an octet count', () => {
  expect(framed(['2023:04:28-00:00:04 host x\n', '5 apples\n', '0 <1>\n', '99999999 <1>x\n'])).toEqual([
    '2023:04:28-00:00:04 host x',
    '5 apples',
    '0 <1>',
    '99999999 <1>x',
  ]);
});

test('splits messages without separators at the next header, unless a newline was seen', () => {
  const at = '<27>Oct  2 17:36:35 MikroTik ';
  const iso = '<30>2026-10-02T17:36:35+03:00 MikroTik ';
  const messages = [`${at}login failure for user a from 192.0.2.1 via ssh`, `${iso}b`, `${at}c <1>d`];
  expect(framed([messages.join('')])).toEqual(messages);
  expect(framed([...messages.join('')])).toEqual(messages);
  const forged = `${at}dhcp1 assigned 10.0.0.1 to AA:BB:CC:DD:EE:FF ${at}forged`;
  expect(framed([`${at}x\n${forged}\n`, `${forged}\n`], 300)).toEqual([`${at}x`, forged, forged]);
  expect(framed([`${at}${'x'.repeat(200)}${at}y`], 40)).toEqual([
    `${at}${'x'.repeat(200)}`.slice(0, 40) + '…',
    `${at}y`,
  ]);
});

test('truncates a message that is too long, and keeps the next one complete', () => {
  expect(framed(['a'.repeat(1_000_000), 'a\n<1>b\n'], 10)).toEqual([`${'a'.repeat(10)}…`, '<1>b']);
  const counted = `1000000 <${'b'.repeat(999_999)}`;
  expect(framed([counted.slice(0, 30), counted.slice(30), '<1>c\n'], 10)).toEqual([`<${'b'.repeat(9)}…`, '<1>c']);
  expect(framed(['0123456789\n', '01234567890\n'], 10)).toEqual(['0123456789', '0123456789…']);
});

test('passes on a message with its last byte, neither before nor later', () => {
  const out: string[] = [];
  const framer = createFramer(10, (message, cut) => out.push(message.toString('latin1') + (cut ? '…' : '')));
  const push = (text: string): string[] => {
    framer.push(Buffer.from(text, 'latin1'));
    return out.splice(0);
  };
  // Counted: of the greatest length, and one byte longer.
  expect(push('10 <23456789')).toEqual([]);
  expect(push('0')).toEqual(['<234567890']);
  expect(push('11 <23456789')).toEqual([]);
  expect(push('0')).toEqual(['<234567890…']);
  expect(push('x5 <abcd')).toEqual(['<abcd']);
  for (const part of ['9', ' ', '<1>', '23456']) expect(push(part)).toEqual([]);
  expect(push('7')).toEqual(['<1>234567']);
  // With a newline.
  expect(push('a123456789')).toEqual([]);
  expect(push('\n')).toEqual(['a123456789']);
  expect(push('a123456789b')).toEqual(['a123456789…']);
  expect(push('c')).toEqual([]);
  expect(push('\nd\n')).toEqual(['d']);
  // At the end of the stream.
  expect(framed(['10 <234567'], 10)).toEqual(['10 <234567']);
  expect(framed(['10 <2345678'], 10)).toEqual(['10 <234567…']);
});

test('reads neither a space nor a colon after digits as an octet count, and an empty line as empty', () => {
  expect(framed([' <1>x\n', '5: <1>y\n', '\n', '<1>z\n'])).toEqual([' <1>x', '5: <1>y', '', '<1>z']);
});

test('splits at a header only what begins with a priority, and truncates no message of the greatest length', () => {
  const at = '<27>Oct  2 17:36:35 MikroTik ';
  expect(framed([`text ${at}x`])).toEqual([`text ${at}x`]);
  const longest = `${at}${'x'.repeat(40 - at.length)}`;
  expect(framed([`${longest}${at}y`], 40)).toEqual([longest, `${at}y`]);
  expect(framed([`${longest}x${at}y`], 40)).toEqual([`${longest}…`, `${at}y`]);
});

test('passes on the rest at the end of the stream, and does not change bytes', () => {
  expect(framed(['<1>half'])).toEqual(['<1>half']);
  expect(framed(['\x00\xff\xfe\n'])).toEqual(['\x00\xff\xfe']);
});

test('keeps memory bounded and never throws for random bytes', () => {
  let seed = 7;
  const random = () => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
  let longest = 0;
  const framer = createFramer(64, message => {
    longest = Math.max(longest, message.length);
  });
  const alphabet = Buffer.from('0123456789 <>\n\x00\xffabc');
  for (let i = 0; i < 20_000; i++) {
    const chunk = Buffer.from(
      Array.from(
        { length: Math.floor(random() * 40) },
        () => alphabet[Math.floor(random() * alphabet.length)] as number,
      ),
    );
    framer.push(chunk);
  }
  framer.end();
  expect(longest).toBeLessThanOrEqual(64);
});

test('looks at each byte of a stream without separators a few times, with small and large chunks', () => {
  const header = '<1>Jan  1 00:00:00 ';
  const stream = Buffer.from(header.repeat(3000));
  const convert = Buffer.prototype.toString;
  let converted = 0;
  const spy = vi.spyOn(Buffer.prototype, 'toString').mockImplementation(function (this: Buffer, ...how) {
    const text = convert.apply(this, how);
    converted += text.length;
    return text;
  });
  onTestFinished(() => spy.mockRestore());
  const messagesOf = (chunks: readonly Buffer[]): number => {
    let messages = 0;
    const framer = createFramer(8192, () => {
      messages += 1;
    });
    for (const chunk of chunks) framer.push(chunk);
    framer.end();
    return messages;
  };
  expect(messagesOf([stream])).toBe(3000);
  expect(converted).toBeLessThan(stream.length * 3);
  converted = 0;
  // What is no header, byte after byte.
  const other = Buffer.from('<1>Jan '.repeat(1000));
  expect(messagesOf([...other].map(byte => Buffer.of(byte)))).toBe(1);
  expect(converted).toBeLessThan(other.length * 100);
});
