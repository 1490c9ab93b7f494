import { expect, test } from 'vitest';
import { cleanEmbedCode, cleanRichText, hasFrame } from './rich-text.ts';

test.each([
  'http://a.example/',
  'data:text/html,x',
  'javascript:alert(1)',
  '//a.example/',
  'https://a@b.example/',
  '/w/x',
  'x.html',
  '',
])('an embed code keeps no frame with the address "%s"', src => {
  const cleaned = cleanEmbedCode(`a<iframe src="${src}"></iframe>b`);
  expect([cleaned, hasFrame(cleaned)]).toEqual(['ab', false]);
});

test('an embed code keeps frames and links of https only, without scripts', () => {
  const frame = '<iframe src="https://a.example/" width="1"></iframe>';
  expect(cleanEmbedCode(`${frame}<script>x()</script><p onclick="x()">p</p>`)).toBe(`${frame}<p>p</p>`);
  expect(hasFrame(frame)).toBe(true);
  expect(cleanEmbedCode('<a href="http://a.example/">a</a><a href="https://a.example/" target="_top">b</a>')).toBe(
    '<a rel="noopener noreferrer nofollow">a</a><a href="https://a.example/" rel="noopener noreferrer nofollow">b</a>',
  );
});

test('no link names another site before its host', () => {
  const plain = '<a rel="noopener noreferrer nofollow">a</a>';
  for (const href of ['https://bank.example@a.example/', ' https://:x@a.example', 'https:\\\\b@a.example']) {
    const text = `<a href="${href}">a</a>`;
    expect([cleanRichText(text, () => true), cleanEmbedCode(text)], href).toEqual([plain, plain]);
  }
  const kept = '<a href="https://a.example/@name" rel="noopener noreferrer nofollow">a</a>';
  expect(cleanRichText('<a href="https://a.example/@name">a</a>', () => true)).toBe(kept);
});
