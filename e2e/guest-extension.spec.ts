import { joinNetwork } from './src/guest.ts';
import { expect, expectAccessible, test } from './src/test.ts';
import { makeVenue, openRouter } from './src/venue.ts';

/** A guest whose access is nearly over goes on with a voucher, with and without script. */
for (const script of [true, false])
  test(`a guest without a voucher goes on with one when the time is nearly over, ${script ? 'with' : 'without'} script`, async ({
    browser,
    operator,
    product,
  }) => {
    const venue = await makeVenue(operator);
    const { locationId, portalId, visitor } = venue;
    const providers = ['username', 'voucher'].map((slug, order) => ({ slug, order, is_active: true }));
    await operator.call('PUT', `panel/portal/${portalId}`, { providers });
    const session_end_at = new Date(Date.now() + 8 * 60_000).toISOString();
    await operator.call('PUT', `panel/client/${visitor.id}`, { session_end_at });
    const { data: batch } = await operator.call<{ data: { id: string } }>('POST', 'panel/voucher-batch', {
      name: 'Two hours',
      location_id: locationId,
      count: 1,
      valid_for: { is_active: true, option: 'hour', value: 2 },
    });
    const cards = await operator.call<{ data: { code: string }[] }>(
      'POST',
      `panel/voucher-batch/${batch.id}/cards`,
      {},
    );
    const router = await openRouter(product, venue.device);
    const guest = await joinNetwork(browser, router, { language: 'en', script });
    const { page, device } = guest;
    try {
      await guest.open();
      await guest.signIn(visitor);
      await guest.expectOnline();
      await expect(page.getByText('Your access is nearly over')).toBeVisible();
      if (script) await expectAccessible(page);
      const first = router.session(device.mac);
      const code = page.getByLabel('Voucher code');
      const send = page.getByRole('button', { name: 'Connect' });
      await code.fill('QQQQQ-QQQQQ');
      await send.click();
      await expect(page.getByRole('alert')).toContainText('This code is not right');
      expect(router.session(device.mac)).toBe(first);
      await code.fill(cards.data[0]!.code);
      await send.click();
      await guest.expectOnline();
      await expect(page.getByText('Your access is nearly over')).toHaveCount(0);
      await expect(page.getByText('Add another voucher')).toBeVisible();
      expect(router.session(device.mac)).not.toBe(first);
    } finally {
      await guest.close();
      await router.close();
    }
  });
