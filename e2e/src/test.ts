import { AxeBuilder } from '@axe-core/playwright';
import { test as base, expect, type Page } from '@playwright/test';
import { watchConsole } from './console.ts';
import { makeOperator, type Operator } from './operator.ts';
import type { Product } from './product.ts';

/** What the global set-up started; while tests are only being listed there is none yet. */
const product: Product = JSON.parse(process.env.E2E_PRODUCT ?? '{}');

interface Fixtures {
  product: Product;
  /** An administrator of the test's own. */
  operator: Operator;
  quietConsole: void;
}

/** `test` with the running product; pages open its panel, and complaints in the browser's console fail the journey. */
export const test = base.extend<Fixtures>({
  product,
  baseURL: product.panel,
  operator: async ({ product: running }, use) => use(await makeOperator(running)),
  quietConsole: [
    async ({ page }, use) => {
      const complaints = watchConsole(page);
      await use();
      expect(complaints, 'errors in the browser’s console').toEqual([]);
    },
    { auto: true },
  ],
});

export { expect } from '@playwright/test';

/** Signs in through the form, as the product's administrator unless told otherwise, and waits for the panel. */
export async function signIn(page: Page, who: { email: string; password: string }): Promise<void> {
  await page.goto('/auth/login');
  await page.locator('input[name=email]').fill(who.email);
  await page.locator('input[name=password]').fill(who.password);
  await page.locator('button[type=submit]').click();
  await page.waitForURL(url => !url.pathname.startsWith('/auth/'));
}

export const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** Expects the page as it stands to have no accessibility problem that axe can find, in `part` of it or the whole. */
export async function expectAccessible(page: Page, part?: string): Promise<void> {
  // Elements that fade in have half a contrast while they do.
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter(animation => animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
        .map(animation => animation.finished.catch(() => undefined)),
    ),
  );
  // In legacy mode it opens no second page for every look; frames of other origins have their own journeys.
  const axe = new AxeBuilder({ page }).withTags(standards).setLegacyMode();
  const { violations } = await (part ? axe.include(part) : axe).analyze();
  const found = violations.map(
    ({ id, help, nodes }) => `${id}: ${help}\n  ${nodes.map(node => node.html).join('\n  ')}`,
  );
  expect.soft(found, `accessibility of ${page.url()}`).toEqual([]);
}
