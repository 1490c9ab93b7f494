import type { BrowserContext } from '@playwright/test';
import { joinNetwork } from './src/guest.ts';
import { expect, expectAccessible, test } from './src/test.ts';
import { addVisitor, makeVenue, openRouter } from './src/venue.ts';

/** The way from the sign-in page to a router that does not answer, and back to a page of ours. */

const silent = 'The Wi-Fi does not answer';

/** From now on the router's sign-in address refuses connections, or takes them without an answer. */
const cutOff = (context: BrowserContext, how: 'refuses' | 'hangs') =>
  context.route(
    url => url.pathname === '/login' && url.searchParams.has('username'),
    route => (how === 'refuses' ? route.abort('connectionrefused') : undefined),
  );

for (const script of [true, false])
  test(`a guest comes back from a router that refuses connections, ${script ? 'with' : 'without'} script`, async ({
    browser,
    operator,
    product,
  }) => {
    const venue = await makeVenue(operator);
    const router = await openRouter(product, venue.device);
    const guest = await joinNetwork(browser, router, { language: 'en', script, complaint: /ERR_CONNECTION_REFUSED/ });
    const { page } = guest;
    try {
      await guest.open();
      await cutOff(page.context(), 'refuses');
      await guest.signIn(venue.visitor);
      await page.waitForURL(/^chrome-error:/);
      await page.goBack();
      await expect(page.getByRole('heading', { name: silent })).toBeVisible();
      if (script) await expectAccessible(page);
      // Once more: the same page again, not a loop to the router.
      await page.getByRole('link', { name: 'Try again' }).click();
      await page.waitForURL(/^chrome-error:/);
      await page.goBack();
      await expect(page.getByRole('heading', { name: silent })).toBeVisible();
      await page.context().unrouteAll();
      await page.getByRole('link', { name: 'Try again' }).click();
      await guest.expectOnline();
    } finally {
      await guest.close();
      await router.close();
    }
  });

test('without script, a page of ours stays while a router is silent, and leads back to the form', async ({
  browser,
  operator,
  product,
}) => {
  const venue = await makeVenue(operator);
  const router = await openRouter(product, venue.device);
  const guest = await joinNetwork(browser, router, { language: 'en', script: false });
  const { page, words } = guest;
  try {
    await guest.open();
    await cutOff(page.context(), 'hangs');
    await guest.signIn(venue.visitor);
    await expect(page.getByRole('heading', { name: 'Almost there' })).toBeVisible();
    await expect(page.getByText(silent)).toBeVisible({ timeout: 20_000 });
    await page.getByRole('link', { name: 'To the sign-in page' }).click();
    await expect(page.getByLabel(words.username)).toBeVisible();
    await page.context().unrouteAll();
    await guest.signIn(await addVisitor(operator, venue));
    await guest.expectOnline();
  } finally {
    await guest.close();
    await router.close();
  }
});
