import { gunzipSync, inflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { compressTemplate, takesGzip } from './compressed-template.ts';

const placeholders = { who: 'MARKwho', what: 'MARKwhat' };
const long = (word: string) => `<p>${word.repeat(200)}</p>`;
const html = `<html>${long('merhaba ')}<a href="MARKwhat">MARKwho</a>${long('güneş ')}MARKwhat${long('x')}short MARKwho end`;
const filled = (who: string, what: string) => html.replaceAll('MARKwho', who).replaceAll('MARKwhat', what);

describe('a compressed template', () => {
  const page = compressTemplate(html, placeholders);
  test.each([
    ['Ayşe', '/w/a?b=1&amp;c=2'],
    ['', ''],
    ['😀'.repeat(30_000), 'y'.repeat(200_000)],
    ['MARKwhat', 'MARKwho'],
    ['$&$1', '\\u0000'],
  ])('gives the page with the value %.20s, as text and as gzip', (who, what) => {
    const values = { who, what };
    const expected = html
      .split(/(MARKwho|MARKwhat)/)
      .map(it => (it === 'MARKwho' ? who : it === 'MARKwhat' ? what : it))
      .join('');
    expect(page.html(values)).toBe(expected);
    expect(gunzipSync(page.gzip(values)).toString()).toBe(expected);
  });

  test('is one gzip member with a valid length and checksum', () => {
    const bytes = page.gzip({ who: 'a', what: 'b' });
    expect(inflateRawSync(bytes.subarray(10, -8)).toString()).toBe(filled('a', 'b'));
    for (const at of [bytes.length - 1, bytes.length - 8]) {
      const broken = Buffer.from(bytes);
      broken[at]! ^= 1;
      expect(() => gunzipSync(broken)).toThrow();
    }
    expect(bytes.length).toBeLessThan(html.length / 4);
  });

  test('without placeholders or without text gives the text itself', () => {
    expect(gunzipSync(compressTemplate('', placeholders).gzip({ who: '', what: '' })).toString()).toBe('');
    expect(gunzipSync(compressTemplate(long('a'), placeholders).gzip({ who: '', what: '' })).toString()).toBe(
      long('a'),
    );
  });
});

test('takesGzip follows the Accept-Encoding header', () => {
  for (const yes of ['gzip', 'gzip, br', 'br;q=1, gzip;q=0.5', 'deflate,gzip']) expect(takesGzip(yes), yes).toBe(true);
  for (const no of [undefined, '', 'br', 'gzip;q=0', 'br, gzip; q=0.0, identity', 'xgzipx'])
    expect(takesGzip(no), String(no)).toBe(false);
});
