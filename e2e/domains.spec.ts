import { randomBytes } from 'node:crypto';
import { addDnsRecord } from '@portico/simulator/dns-server.ts';
import { enterPanel } from './src/panel.ts';
import { expect, expectAccessible, test } from './src/test.ts';

test('a domain serves once its DNS record was found', async ({ page, operator, product }) => {
  const host = `wifi-${randomBytes(4).toString('hex')}.portico.test`;
  await enterPanel(page, { token: operator.token, language: 'en' });
  await page.goto('/settings/domains');
  await page.getByRole('button', { name: 'Add domain' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Host name').fill(host);
  await dialog.getByRole('button', { name: 'Save' }).click();

  await expect(dialog.getByText(`_portico.${host}`, { exact: true })).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Check now' }).click();
  await expect(page.getByText(`The TXT record of _portico.${host} does not have this value yet.`)).toBeVisible();
  const value = await dialog.getByText(/^portico=/).innerText();
  await addDnsRecord(product.dns, `_portico.${host}`, value);
  await dialog.getByRole('button', { name: 'Check now' }).click();
  await expect(page.getByText('Domain confirmed')).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: host })).toContainText('In use');
});
