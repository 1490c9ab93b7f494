import { enterPanel } from './src/panel.ts';
import { expect, test } from './src/test.ts';

test('a browser that refuses to copy: a message says so', async ({ page, operator }) => {
  await enterPanel(page, { token: operator.token, language: 'en' });
  await page.addInitScript(() => {
    document.execCommand = () => false;
  });
  await page.goto('/guides/mikrotik');
  await page
    .getByRole('button', { name: /^Copy: / })
    .filter({ visible: true })
    .first()
    .click();
  await expect(page.getByText('Could not copy. Copy the text by hand.')).toBeVisible();
});
