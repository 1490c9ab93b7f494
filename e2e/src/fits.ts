import type { Page } from '@playwright/test';
import { expect } from './test.ts';

/** Expects no horizontal overflow, no button or choice that cuts its text off or wraps, and no translation key in place of a text. */
export async function expectFits(page: Page): Promise<void> {
  const { width, needed } = await page
    .locator('html')
    .evaluate(html => ({ width: html.clientWidth, needed: html.scrollWidth }));
  expect.soft(needed, `width of ${page.url()}`).toBeLessThanOrEqual(width);
  const cut = await page
    .locator('.mantine-Button-label:visible')
    .evaluateAll(labels =>
      labels.filter(label => label.scrollWidth > label.clientWidth + 1).map(label => label.textContent),
    );
  expect.soft(cut, `buttons of ${page.url()} that are too narrow`).toEqual([]);
  const choices = await page
    .locator('[role=radiogroup]:visible')
    .evaluateAll(groups =>
      groups.filter(group => group.scrollWidth > group.clientWidth + 1).map(group => group.textContent),
    );
  expect.soft(choices, `choices of ${page.url()} that are too narrow`).toEqual([]);
  const wrapped = await page
    .locator('.mantine-SegmentedControl-root:visible')
    .evaluateAll(groups =>
      groups
        .filter(group => new Set([...group.querySelectorAll('label')].map(it => it.offsetTop)).size > 1)
        .map(group => group.textContent),
    );
  expect.soft(wrapped, `choices of ${page.url()} that need a second row`).toEqual([]);
  // Names of the API look like keys, and are shown as code. Both are read at once, because parts of a screen may be drawn later.
  const lines = await page.evaluate(() => {
    const code = new Set([...document.querySelectorAll<HTMLElement>('code, pre')].map(it => it.innerText));
    return document.body.innerText.split('\n').filter(line => !code.has(line));
  });
  expect
    .soft(
      lines.filter(line => keyOfText.test(line) && !fileName.test(line)),
      `texts of ${page.url()}`,
    )
    .toEqual([]);
}

/** Matches `devices:emptyTitle` and `limit.amount.hour`: i18next shows the key when a text is missing. */
const keyOfText = /^[a-z]+(:|\.)[a-zA-Z]+(\.[a-zA-Z]+)*$/;

/** The audit log names the files that other tests imported. */
const fileName = /\.(csv|sql)$/;
