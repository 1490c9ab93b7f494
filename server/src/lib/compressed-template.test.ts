import { gunzipSync, inflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { press, takesGzip } from './compressed-template.ts';

const marks = { who: 'MARKwho', what: 'MARKwhat' };
const long = (word: string) => `<p>${word.repeat(200)}</p>`;
const html = `<html>${long('merhaba ')}<a href="MARKwhat">MARKwho</a>${long('güneş ')}MARKwhat${long('x')}short MARKwho end`;
const filled = (who: string, what: string) => html.replaceAll('MARKwho', who).replaceAll('MARKwhat', what);

describe('a pressed page', () => {
  const page = press(html, marks);
  test.each([
    ['Ayşe', '/w/a?b=1&amp;c=2'],
    ['', ''],
    ['😀'.repeat(30_000), 'y'.repeat(200_000)],
    ['MARKwhat', 'MARKwho'],
    ['$&$1', '\\u0000'],
  ])('is what drawing it with %.20s would give, as text and as gzip', (who, what) => {
    const fills = { who, what };
    const right = html
      .split(/(MARKwho|MARKwhat)/)
      .map(it => (it === 'MARKwho' ? who : it === 'MARKwhat' ? what : it))
      .join('');
    expect(page.html(fills)).toBe(right);
    expect(gunzipSync(page.gzip(fills)).toString()).toBe(right);
  });

  test('is one whole member: its length and checksum are checked by whoever reads it', () => {
    const bytes = page.gzip({ who: 'a', what: 'b' });
    expect(inflateRawSync(bytes.subarray(10, -8)).toString()).toBe(filled('a', 'b'));
    for (const at of [bytes.length - 1, bytes.length - 8]) {
      const broken = Buffer.from(bytes);
      broken[at]! ^= 1;
      expect(() => gunzipSync(broken)).toThrow();
    }
    expect(bytes.length).toBeLessThan(html.length / 4);
  });

  test('without marks or without text is itself', () => {
    expect(gunzipSync(press('', marks).gzip({ who: '', what: '' })).toString()).toBe('');
    expect(gunzipSync(press(long('a'), marks).gzip({ who: '', what: '' })).toString()).toBe(long('a'));
  });
});

test('gzip is sent to those who take it', () => {
  for (const yes of ['gzip', 'gzip, br', 'br;q=1, gzip;q=0.5', 'deflate,gzip']) expect(takesGzip(yes), yes).toBe(true);
  for (const no of [undefined, '', 'br', 'gzip;q=0', 'br, gzip; q=0.0, identity', 'xgzipx'])
    expect(takesGzip(no), String(no)).toBe(false);
});
