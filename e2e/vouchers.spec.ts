import { joinNetwork } from './src/guest.ts';
import { enterPanel } from './src/panel.ts';
import { expect, expectAccessible, test } from './src/test.ts';
import { makeVenue, openRouter } from './src/venue.ts';

test('the desk prints fifty vouchers, a guest uses one, and revoking them ends the session', async ({
  page,
  browser,
  operator,
  product,
}) => {
  const words = await enterPanel(page, { token: operator.token, language: 'en' });
  const { device, portalId, locationId, name } = await makeVenue(operator);
  await operator.call('PUT', `panel/portal/${portalId}`, { providers: [{ slug: 'voucher', order: 1, options: {} }] });
  const card = { ssid: 'Çınaraltı Misafir', wifi_password: 'serin su!', language: 'ar', text: 'Viel Spaß' };
  await operator.call('PUT', `panel/location/${locationId}/voucher-card`, card);

  await page.goto('/vouchers');
  await page.getByRole('button', { name: words.addVouchers }).first().click();
  const form = page.getByRole('dialog');
  await form.getByRole('textbox', { name: words.name, exact: true }).fill('Pool day');
  await form.getByLabel(words.voucherCount).fill('0');
  await form.getByRole('textbox', { name: words.price, exact: true }).fill('2.50');
  await form.getByRole('switch', { name: words.atDesk }).press(' ');
  await form.getByRole('button', { name: words.makeVouchers }).click();
  await expect(page.getByRole('cell', { name: 'Pool day' })).toBeVisible();

  // A logo takes room from the rest of a card. All journeys share the tenant, so it is only in this answer.
  await page.route('**/v1/config', async route => {
    const response = await route.fetch();
    const { data } = (await response.json()) as { data: { landing: object } };
    const landing = { ...data.landing, logo: { src: '/brands/mikrotik.svg' } };
    await route.fulfill({ response, json: { data: { ...data, landing } } });
  });
  await page.goto('/desk');
  await page.getByText('50', { exact: true }).click();
  await page.getByRole('button', { name: /Pool day/ }).click();
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: words.print, exact: true }).click();
  const cards = page.getByRole('dialog').getByRole('list').getByRole('listitem');
  await expect(cards).toHaveCount(50);
  for (const text of [name, 'Çınaraltı Misafir', 'serin su!', 'Viel Spaß', 'يوم من أول استخدام'])
    await expect(cards.first()).toContainText(text);
  // In Arabic, too, what a guest types reads from left to right.
  await expect(cards.first().getByText('serin su!')).toHaveCSS('direction', 'ltr');
  await expect(cards.first().getByRole('img', { name: 'Portico' })).toBeVisible();
  expect(await cards.first().evaluate(it => it.scrollHeight - it.clientHeight)).toBe(0);
  const code = /[2-9C-Y]{5}-[2-9C-Y]{5}/.exec(await cards.first().innerText())![0];
  expect((await page.pdf({ preferCSSPageSize: true })).toString('latin1').match(/\/MediaBox/g)).toHaveLength(5);
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await expect(page.getByText('50 vouchers, €125')).toBeVisible();

  const router = await openRouter(product, device);
  const guest = await joinNetwork(browser, router);
  try {
    await guest.open();
    await guest.page.getByRole('textbox').fill(code.toLowerCase().replace('-', ' '));
    await guest.page.getByRole('button', { name: guest.words.connect }).click();
    await guest.expectOnline();

    await page.goto('/vouchers');
    await page
      .getByRole('link', { name: 'Pool day' })
      .or(page.getByRole('button', { name: 'Pool day' }))
      .first()
      .click();
    await expect(page.getByText('49 of 50')).toBeVisible();
    await expect(page.getByText('€2.50').first()).toBeVisible();
    await expect(page.getByRole('row').filter({ hasText: code })).toContainText('In use');
    await page.getByRole('button', { name: words.revokeAll }).click();
    await page.getByRole('dialog').getByRole('button', { name: words.revoke, exact: true }).click();
    await expect(page.getByText('0 of 50')).toBeVisible();
    await expect.poll(() => router.session(guest.device.mac)).toBeUndefined();
    await expectAccessible(page);
  } finally {
    await guest.close();
    await router.close();
  }
});
