import type { Page } from '@playwright/test';
import { expectFits } from './src/fits.ts';
import { inviteMember } from './src/members.ts';
import { callApi, type Operator, tokenOf } from './src/operator.ts';
import { enterPanel, follow } from './src/panel.ts';
import type { Product } from './src/product.ts';
import { expect, test } from './src/test.ts';
import { makeVenue } from './src/venue.ts';

/** For each kind of user, no link leads to a screen that says that they have no access. */

const password = 'a quiet harbour 7';
let count = 0;
const someone = (name: string) => `${name}.${Date.now()}.${process.pid}.${++count}@example.com`;

async function tenantUser(product: Product, by: Operator, role: 'reseller' | 'auditor'): Promise<string> {
  const email = someone(role);
  await by.call('POST', 'panel/tenant/users', { email, password, first_name: 'Özge', last_name: 'İşleten', role });
  return tokenOf(product, { email, password });
}

/** The paths that the menu and the tabs of a screen link to. */
const linkedPaths = (page: Page): Promise<string[]> =>
  page
    .locator('nav a[href^="/"], [role=tablist] a[href^="/"]')
    .evaluateAll(links => links.map(link => (link as HTMLAnchorElement).pathname));

/** Follows every link of the menu and of the tabs. Each must lead to a screen that the user may see. */
async function followLinks(page: Page, from: readonly string[]): Promise<string[]> {
  const refusal = page.getByText('Bu ekrana erişiminiz yok').or(page.getByText('Bulunamadı', { exact: true }));
  const content = page.getByRole('heading', { level: 1 }).filter({ hasText: /^[^…]/ });
  const waiting = [...from];
  const visited = new Set<string>();
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    if (visited.has(path)) continue;
    visited.add(path);
    if (visited.size === 1) await page.goto(path);
    else await follow(page, path);
    await expect(refusal.or(content).first(), path).toBeVisible();
    await expect(page.locator('[aria-busy=true]'), path).toHaveCount(0);
    await expect(refusal, path).toHaveCount(0);
    // The sweeps open wide screens in English only.
    await expectFits(page);
    waiting.push(...(await linkedPaths(page)));
  }
  return [...visited];
}

for (const who of ['reseller', 'auditor', 'desk', 'limited', 'manager', 'statistics'] as const)
  test(`every link leads somewhere: ${who}`, async ({ page, product, operator }) => {
    const reseller = await tenantUser(product, operator, 'reseller');
    const call: Operator['call'] = (method, path, body) =>
      callApi(product, { method, path, token: reseller, ...(body && { body }) });
    const venue = await makeVenue({ ...operator, token: reseller, call });
    const member = (permissions: object, more: object = {}) =>
      inviteMember(product, operator, venue, { permissions, ...more });
    const tokens = {
      reseller: async () => reseller,
      auditor: () => tenantUser(product, operator, 'auditor'),
      desk: () => member({ vouchers: ['store'] }),
      limited: () => member({ clients: ['view'], devices: ['view'] }, { deviceIds: [venue.device.id] }),
      manager: () => member({ location: ['update'] }),
      statistics: () => member({ 'basic-stats': ['view'] }),
    };
    const failed: string[] = [];
    page.on('response', answer => {
      if (answer.status() >= 400) failed.push(`${answer.status()} ${answer.url()}`);
    });
    await enterPanel(page, { token: await tokens[who](), language: 'tr' });
    const own = {
      reseller: [`/devices/${venue.device.id}`, `/portals/${venue.portalId}/edit`, `/visitors/${venue.visitor.id}`],
      auditor: [`/devices/${venue.device.id}`, `/portals/${venue.portalId}/edit`, `/visitors/${venue.visitor.id}`],
      desk: [],
      limited: [`/devices/${venue.device.id}`, `/visitors/${venue.visitor.id}`],
      manager: [],
      statistics: [],
    };
    const visited = await followLinks(page, ['/', `/locations/${venue.locationId}/edit`, ...own[who]]);
    expect(visited.length).toBeGreaterThan(3);
    // A kept link to a screen of another right explains itself, without asking for what the server refuses.
    const kept = [
      `/devices/${venue.device.id}/users`,
      `/guides/mikrotik?device=${venue.device.id}`,
      '/onboarding/portal',
    ];
    for (const path of kept) {
      await follow(page, path);
      await expect(page.getByRole('heading').filter({ hasText: /^[^…]/ }).first(), path).toBeVisible();
      await expect(page.locator('[aria-busy=true]'), path).toHaveCount(0);
      if (path.endsWith('/users') && (who === 'statistics' || who === 'desk'))
        await expect(page.getByText('Bu ekrana erişiminiz yok')).toBeVisible();
    }
    if (who === 'statistics') {
      for (const list of ['/online', '/reports/session-history']) {
        await follow(page, list);
        await expect(page.getByRole('button', { name: 'MAC', exact: true })).toBeVisible();
        await expect(page.getByRole('button', { name: 'Cihaz', exact: true }), list).toHaveCount(0);
      }
      await follow(page, '/onboarding/portal');
      await page.getByRole('link', { name: 'Panele git' }).click();
      await expect(page).toHaveURL('/');
      await expect(page.getByRole('heading', { name: 'Tarayıcılar' })).toBeVisible();
      // They can take none of the first steps, and no guest has been online.
      await expect(page.getByText('İlk adımlar')).toHaveCount(0);
    }
    expect(failed, 'failed requests').toEqual([]);
  });
