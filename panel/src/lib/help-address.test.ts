import { existsSync, globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { helpAddress, helpPages } from '#lib/help-address.ts';

const editorTabs = new Set(['/advanced', '/advertisements', '/blocks', '/rules', '/sign-in-methods', '/surveys']);
const guides = JSON.parse(readFileSync(new URL('../features/guides/guides.en.json', import.meta.url), 'utf8'));
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
  ['/devices/0192/info', '/help/devices'],
  ['/devices/0192/logs', '/help/legal-record'],
  ['/devices/0192/license', '/help/licences'],
  ['/reports/mac-sessions', '/help/sessions'],
  ['/reports/who-was-it', '/help/legal-record'],
  ['/reports/sales-report', '/help/reports'],
  ['/admin/portals/0192', '/help/portals'],
  ['/locations/0192/edit/user-profiles', '/help/profiles'],
  ['/locations/0192/edit/users', '/help/team'],
  ['/consents', '/help/privacy'],
  ['/settings/audit', '/help/team'],
  ['/guides/sophos', '/help/sophos'],
  ['/onboarding/device', '/help/first-router'],
  ['/onboarding/subscribe', '/help/licences'],
  ['/visitorsx', '/help/'],
])('the question mark at %s leads to %s', (path, address) => {
  expect(helpAddress(path)).toBe(address);
});

test.each([
  ['settings-license', '/help/licences'],
  ['settings-devices', '/help/devices'],
  ['portal-edit', '/help/portals'],
  ['other', '/help/customers'],
])('the question mark at the tab %s of a customer leads to %s', (tab, address) => {
  expect(helpAddress('/admin', tab)).toBe(address);
});

test('every screen has its page', () => {
  const panel = fileURLToPath(new URL('../', import.meta.url));
  const paths = globSync('features/*/*.routes.tsx', { cwd: panel })
    // Tabs of a layout name only the end of their address.
    .flatMap(file => [...readFileSync(panel + file, 'utf8').matchAll(/path: '(\/[^']*)'/g)].map(([, path]) => path!))
    .filter(path => !editorTabs.has(path));
  expect(paths.length).toBeGreaterThan(50);
  expect(paths.filter(path => helpAddress(path.replace('$slug', 'sophos')) === '/help/')).toEqual([]);
});
