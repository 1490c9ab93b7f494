import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { test as base, expect, type Page } from '@playwright/test';
import type axe from 'axe-core';
import { watchConsole } from './console.ts';
import { makeOperator, type Operator } from './operator.ts';
import type { Product } from './product.ts';

/** Started by the global set-up; missing while tests are only listed. */
const product: Product = JSON.parse(process.env.E2E_PRODUCT ?? '{}');

interface Fixtures {
  product: Product;
  /** An administrator for this test only. */
  operator: Operator;
}

/** `test` with the running product. Pages open its panel; errors in the browser's console fail the journey. */
export const test = base.extend<Fixtures>({
  product,
  baseURL: product.panel,
  operator: async ({ product: running }, use) => use(await makeOperator(running)),
  page: async ({ page }, use) => {
    const complaints = watchConsole(page);
    await use(page);
    // An answer that a journey changes may be on its way when it ends.
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    expect(complaints, 'errors in the browser’s console').toEqual([]);
  },
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

/** The program of axe without its comments and spaces: browsers take half of the time to read it. */
export const axeProgram = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

export const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

declare global {
  interface Window {
    axe: typeof axe;
  }
}

interface Accessibility {
  /** Selector of the part to check; the whole page unless given. */
  readonly part?: string;
  /** Rules of axe to check; all of the standards unless given. */
  readonly rules?: readonly string[];
  /** Rules of the standards to leave out. */
  readonly except?: readonly string[];
}

/** Expects axe to find no accessibility problem in the page as it is now. */
export async function expectAccessible(page: Page, { part, rules, except = [] }: Accessibility = {}): Promise<void> {
  // While an element fades in its contrast is too low.
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter(animation => animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
        .map(animation => animation.finished.catch(() => undefined)),
    ),
  );
  await loadAxe(page);
  const violations = await page.evaluate(
    async ([context, runOnly, excepted]) => {
      // Reading the style sheets takes up to half of the time, and none of these rules needs them.
      const preload = { assets: ['media' as const] };
      const rules = Object.fromEntries(excepted.map(rule => [rule, { enabled: false }]));
      const { violations } = await window.axe.run(context, { runOnly, rules, resultTypes: ['violations'], preload });
      return violations.map(({ id, help, nodes }) => ({ id, help, nodes: nodes.map(({ html }) => ({ html })) }));
    },
    [
      part ?? 'html',
      rules ? { type: 'rule' as const, values: [...rules] } : { type: 'tag' as const, values: standards },
      [...except],
    ] as const,
  );
  const found = violations.map(
    ({ id, help, nodes }) => `${id}: ${help}\n  ${nodes.map(node => node.html).join('\n  ')}`,
  );
  expect.soft(found, `accessibility of ${page.url()}`).toEqual([]);
}

/**
 * Puts axe into the frames that lack it: its 650 KB take a tenth of a second each time. Frames of other origins have their own
 * journeys, because axe does not listen there.
 */
async function loadAxe(page: Page): Promise<void> {
  const { origin } = new URL(page.url());
  for (const frame of page.frames()) {
    if (frame.url().startsWith('http') && new URL(frame.url()).origin !== origin) continue;
    // A frame may leave meanwhile.
    const isLoaded = await frame.evaluate(() => 'axe' in window).catch(() => true);
    if (!isLoaded) await frame.evaluate(axeProgram).catch(() => undefined);
  }
}
