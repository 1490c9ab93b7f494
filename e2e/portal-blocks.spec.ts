import { joinNetwork } from './src/guest.ts';
import { enterPanel } from './src/panel.ts';
import { expect, expectAccessible, test } from './src/test.ts';
import { makeVenue, openRouter } from './src/venue.ts';

test('an owner adds blocks to a page, and guests see them @phone', async ({ page, operator, browser, product }) => {
  const venue = await makeVenue(operator);
  const { portalId } = venue;
  await enterPanel(page, { token: operator.token, language: 'en' });
  await page.clock.install();
  await page.goto(`/portals/${portalId}/edit/blocks`);
  const add = page.getByRole('group', { name: 'Add to this page' });
  const list = page.getByRole('list', { name: 'Sign-in page' });
  const frame = page.frameLocator('iframe[data-ready]');

  await add.getByRole('button', { name: 'Text' }).click();
  await page.getByRole('textbox', { name: 'Text, English' }).fill('Breakfast from 7 to 10');
  await expect(frame.locator('.blocks')).toContainText('Breakfast from 7 to 10');
  await add.getByRole('button', { name: 'Button' }).click();
  await page.getByRole('textbox', { name: 'Label' }).fill('Book a table');
  await expect(frame.locator('.blocks a')).toHaveCount(0);

  // An address that is not complete is refused at its field.
  await page.getByRole('textbox', { name: 'Link' }).fill('javascript:alert(1)');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Enter an address that begins with https://.')).toBeVisible();
  await page.getByRole('textbox', { name: 'Link' }).fill('https://book.example.com/');
  await expect(frame.locator('.blocks a')).toHaveText('Book a table');

  // By keyboard, and back again.
  const order = () => list.getByRole('listitem').evaluateAll(all => all.map(it => it.textContent));
  const before = await order();
  // Changes within a moment are undone together.
  await page.clock.fastForward(1000);
  await list.locator('[data-handle]').nth(1).press('ArrowUp');
  await expect.poll(order).toEqual([...before].reverse());
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(order).toEqual(before);
  await page.getByRole('button', { name: 'Redo' }).click();
  await expect.poll(order).toEqual([...before].reverse());

  // The connected page, and in its preview.
  await page.getByText(/^Connected page/).click();
  await add.getByRole('button', { name: 'Text' }).click();
  await page.getByRole('textbox', { name: 'Text, English' }).fill('Thank you for coming');
  await page.getByRole('switch', { name: 'Only at certain times' }).click();
  await page.getByLabel('From').fill('18:00');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('This field is required.')).toBeVisible();
  await page.getByLabel('To', { exact: true }).fill('17:59');
  await expect(page.getByText('This field is required.')).toBeHidden();
  await expect(frame.locator('.blocks')).toContainText('Thank you for coming');
  await expect(frame.getByRole('heading', { level: 1 })).toHaveText(/online|connected/i);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Portal updated')).toBeVisible();

  const router = await openRouter(product, venue.device);
  const guest = await joinNetwork(browser, router, { language: 'en' });
  try {
    await guest.open();
    await expect(guest.page.locator('.blocks')).toHaveText(/Book a table.*Breakfast from 7 to 10/s);
    await expectAccessible(guest.page);
    await guest.signIn(venue.visitor);
    await guest.expectOnline();
    await expect(guest.page.locator('.blocks')).toHaveText('Thank you for coming');
    await expectAccessible(guest.page);
  } finally {
    await guest.close();
    await router.close();
  }
});
