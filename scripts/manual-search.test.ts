import { expect, test } from 'vitest';
import { brands, searchedGuide } from '../docs/manual/.vitepress/guides.ts';

test('the search of the manual knows the pages of brands, which are no files', () => {
  for (const { slug } of brands())
    for (const file of [`/docs/manual/${slug}.md`, `/docs/manual/tr/${slug}.md`])
      expect(searchedGuide(file)?.[0]?.text.length, file).toBeGreaterThan(300);
  expect(searchedGuide('/docs/manual/opennds.md')).toMatchObject([
    { titles: ['Set up openNDS'], text: expect.stringContaining('portico-gateway') },
  ]);
  expect(searchedGuide('/docs/manual/tr/opennds.md')).toMatchObject([
    { titles: ['openNDS kurulumu'], text: expect.stringContaining('yapılandırma') },
  ]);
  expect(searchedGuide('/docs/manual/devices.md')).toBeUndefined();
});
