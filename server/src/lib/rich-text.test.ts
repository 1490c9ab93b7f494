import { expect, test } from 'vitest';
import { cleanEmbedCode, hasFrame } from './rich-text.ts';

test.each(['http://a.example/', 'data:text/html,x', 'javascript:alert(1)', '//a.example/', '/w/x', 'x.html', ''])(
  'an embed code keeps no frame with the address "%s"',
  src => {
    const cleaned = cleanEmbedCode(`a<iframe src="${src}"></iframe>b`);
    expect([cleaned, hasFrame(cleaned)]).toEqual(['ab', false]);
  },
);

test('an embed code keeps frames and links of https only, without scripts', () => {
  const frame = '<iframe src="https://a.example/" width="1"></iframe>';
  expect(cleanEmbedCode(`${frame}<script>x()</script><p onclick="x()">p</p>`)).toBe(`${frame}<p>p</p>`);
  expect(hasFrame(frame)).toBe(true);
  expect(cleanEmbedCode('<a href="http://a.example/">a</a><a href="https://a.example/" target="_top">b</a>')).toBe(
    '<a rel="noopener noreferrer nofollow">a</a><a href="https://a.example/" rel="noopener noreferrer nofollow">b</a>',
  );
});
