import { enterPanel } from './src/panel.ts';
import { expect, expectAccessible, test } from './src/test.ts';
import { makeVenue } from './src/venue.ts';

test('what was done is taken back: by the mouse, by keys, after leaving the screen, and not after another did it', async ({
  page,
  operator,
}) => {
  await enterPanel(page, { token: operator.token, language: 'en' });
  const { visitor } = await makeVenue(operator);
  const row = page.getByRole('row').filter({ hasText: visitor.username });
  const status = page.locator('[role=status][aria-live]');
  const undo = status.getByRole('button', { name: 'Undo' });
  const pause = async () => {
    await row.getByRole('button', { name: /^Actions/ }).click();
    await page.getByRole('menuitem', { name: 'Pause' }).click();
    await expect(row).toContainText('Paused');
    await expect(undo).toBeVisible();
  };
  await page.clock.install();
  await page.goto('/visitors');

  // The message stays while it is pointed at, or has the focus, and goes ten seconds later.
  await pause();
  await expectAccessible(page, { part: '[role=status][aria-live]' });
  await undo.hover();
  await page.clock.runFor(30_000);
  await expect(undo).toBeVisible();
  await page.mouse.move(0, 0);
  await undo.focus();
  await page.clock.runFor(30_000);
  await page.keyboard.press('Enter');
  // The message first: it goes by itself.
  await expect(status).toContainText('Undone');
  await expect(row).toContainText('Active');
  await page.clock.runFor(4000);
  await expect(status).toBeEmpty();
  await pause();
  await page.clock.runFor(11_000);
  await expect(undo).toHaveCount(0);
  await page.keyboard.press('Control+z');
  await expect(row).toContainText('Paused');

  // By keys, but not while something is typed.
  await row.getByRole('button', { name: /^Actions/ }).click();
  await page.getByRole('menuitem', { name: 'Resume' }).click();
  await expect(undo).toBeVisible();
  await page.getByRole('textbox').first().press('Control+z');
  await expect(undo).toBeVisible();
  // A dialog that was opened since hides the row.
  await row.getByRole('button', { name: /^Actions/ }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Control+z');
  await expect(undo).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('Control+z');
  await expect(status).toContainText('Undone');
  await expect(row).toContainText('Paused');

  // On another screen.
  await row.getByRole('button', { name: /^Actions/ }).click();
  await page.getByRole('menuitem', { name: 'Resume' }).click();
  await expect(row).toContainText('Active');
  await pause();
  await page.getByRole('link', { name: 'Online now' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Online now' })).toBeVisible();
  await undo.click();
  await expect(status).toContainText('Undone');
  expect(await operator.call('GET', `panel/client/${visitor.id}`)).toMatchObject({ data: { blocked: false } });

  // The visitor was deleted meanwhile.
  await page.goto('/visitors');
  await pause();
  await operator.call('DELETE', `panel/client/${visitor.id}`);
  await undo.click();
  await expect(status).toContainText('Could not be undone');
  await expect(status).toContainText('Not found');
  await expect(row).toHaveCount(0);
});
