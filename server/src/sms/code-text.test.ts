import { portalLanguages } from '@portico/contract/portal-languages.ts';
import { expect, test } from 'vitest';
import { codeText, isGsm } from './code-text.ts';

const code = '123456';
const host = 'wifi.example.com';

test('a message fits into one SMS in every language, also with long names', () => {
  for (const language of portalLanguages)
    for (const place of ['Kafe Çınar', 'İĞŞ ığşç Öğütçü', 'x'.repeat(200), '咖啡馆 ☕', '€[]{}', '😀'.repeat(60), ''])
      for (const at of [null, host, `${'a'.repeat(60)}.${'b'.repeat(60)}.example`]) {
        const text = codeText(language, { place, code, host: at });
        expect(text.length, text).toBeLessThanOrEqual(isGsm(text) ? 160 : 70);
        expect(text).toContain(code);
        expect(text).not.toMatch(/\{\w|[\ud800-\udbff](?![\udc00-\udfff])/);
      }
});

test('a Turkish message is in plain letters', () => {
  const text = codeText('tr', { place: 'İğdeli Kıyı Çay Bahçesi', code, host });
  expect(text).toBe('Igdeli Kiyi Çay Bahcesi Wi-Fi kodunuz: 123456. 5 dakika gecerlidir.\n@wifi.example.com #123456');
});

test('a name that is too long ends with a whole word', () => {
  const place = 'Şehir Hastanesi – İğdeli Çınaraltı Şubesi';
  expect(codeText('tr', { place, code, host })).toMatch(/^Sehir Hastanesi - Igdeli Çinaralti Wi-Fi kodunuz/);
  expect(codeText('ru', { place, code, host: `${host}.example` })).toMatch(/^Şehir Hastanesi: код/);
});

test('the last line binds the code to the portal’s host; without TLS there is none', () => {
  for (const language of portalLanguages) {
    const text = codeText(language, { place: 'Kafe Çınar', code, host });
    expect(text.split('\n')).toEqual([expect.stringContaining('Kafe'), '@wifi.example.com #123456']);
    expect(codeText(language, { place: 'Kafe Çınar', code, host: null })).not.toContain('@');
  }
});
