import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { helpAddress, helpPages } from '#app/help-address.ts';
import guides from '#features/guides/guides.en.json' with { type: 'json' };

const manual = fileURLToPath(new URL('../../../docs/manual/', import.meta.url));

test.each([...new Set([...Object.values(helpPages), 'licences', 'profiles'])])(
  'the manual has the page %s in both languages',
  page => {
    // The pages of brands are made from the guides of the panel.
    if (page in guides) return;
    for (const file of [`${page}.md`, `tr/${page}.md`]) expect(existsSync(manual + file), file).toBe(true);
  },
);

test.each([
  ['/', '/help/reports'],
  ['/devices/0192/logs', '/help/devices'],
  ['/devices/0192/license', '/help/licences'],
  ['/reports/who-was-it', '/help/legal-record'],
  ['/reports/sales-report', '/help/reports'],
  ['/admin/portals/0192', '/help/portals'],
  ['/locations/0192/edit/user-profiles', '/help/profiles'],
  ['/guides/sophos', '/help/sophos'],
  ['/visitorsx', '/help/'],
])('the question mark at %s leads to %s', (path, address) => {
  expect(helpAddress(path)).toBe(address);
});
