import { enterPanel } from './src/panel.ts';
import { expect, expectAccessible, test } from './src/test.ts';
import { makeVenue, openRouter, randomMac } from './src/venue.ts';

test('the list of visitors shows who is online; a row’s menu pauses, resumes and extends @phone', async ({
  page,
  operator,
  product,
}) => {
  await enterPanel(page, { token: operator.token, language: 'en' });
  const { device, visitor } = await makeVenue(operator);
  const router = await openRouter(product, device);
  try {
    await page.goto('/visitors');
    const row = page.getByRole('row').filter({ hasText: visitor.username });
    await expect(row).toContainText('Active');
    await expect(row).toContainText('Never');
    await router.signIn(router.lease({ mac: randomMac() }), visitor.username, visitor.password);
    await router.settled();
    await expect(row).toContainText('Online');
    await expectAccessible(page);

    const choose = async (action: string) => {
      await row.getByRole('button', { name: /^Actions/ }).click();
      await page.getByRole('menuitem', { name: action }).click();
    };
    const dialog = page.getByRole('dialog');
    await choose('Pause');
    await dialog.getByRole('button', { name: 'Pause' }).click();
    await expect(row).toContainText('Paused');
    await router.settled();
    await expect(row).not.toContainText('Online');
    await choose('Resume');
    await expect(row).toContainText('Active');

    await choose('Extend');
    await dialog.getByText('Until', { exact: false }).first().click();
    await dialog.getByLabel('Valid until').fill('2031-03-10T12:00');
    await dialog.getByRole('button', { name: 'Extend' }).click();
    await expect(dialog).toBeHidden();
    await expect(row).toContainText('10 Mar 2031, 12:00');
  } finally {
    await router.close();
  }
});
