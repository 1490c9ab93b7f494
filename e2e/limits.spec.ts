import { joinNetwork } from './src/guest.ts';
import type { Operator } from './src/operator.ts';
import { enterPanel } from './src/panel.ts';
import { noonZone, passDays } from './src/passing-time.ts';
import { expect, test } from './src/test.ts';
import { makeVenue, openTimeMachine, randomMac, type Venue } from './src/venue.ts';

const day = 86_400;

/** A visitor with a session profile of its own. */
async function sell(operator: Operator, { locationId }: Venue, profile: object, more: object = {}) {
  const make = async (path: string, body: object) =>
    (await operator.call<{ data: { id: string } }>('POST', path, { location_id: locationId, ...body })).data.id;
  const profile_id = await make('panel/location/user-profile', { name: 'Satılan', ...profile });
  const account = { username: `alan.${randomMac().slice(-5).replace(':', '')}`, password: 'çok gizli 3' };
  const visitor = { ...account, name: 'Işıl Alan', provider_type: 'username', profile_id, ...more };
  return { ...account, id: await make('panel/client', visitor) };
}

test('a visitor buys two days and is out on the third', async ({ browser, page, operator, product }) => {
  await enterPanel(page, { token: operator.token, language: 'en' });
  const venue = await makeVenue(operator);
  const price = { paid_sale: { is_active: true, option: 'eur', value: 5 } };
  const visitor = await sell(operator, venue, price, { total_paid_day: 2 });
  await page.goto(`/visitors/${visitor.id}`);
  await expect(page.getByText('Begins with the first sign-in')).toBeVisible();
  // They have an end, which is not known yet.
  await expect(page.getByText('Valid until')).toBeHidden();

  const router = await openTimeMachine(product, venue.device);
  const guest = await joinNetwork(browser, router, { language: 'en' });
  try {
    for (const left of [2 * day, day]) {
      await guest.open();
      await guest.signIn(visitor);
      await guest.expectOnline();
      const told = router.session(guest.device.mac)?.limits.sessionTimeout ?? 0;
      expect(told).toBeGreaterThan(left - 600);
      expect(told).toBeLessThanOrEqual(left);
      await expect(page.getByText('Begins with the first sign-in')).toBeHidden();
      await passDays(product, visitor.id, 1);
      router.jump(day);
      await expect.poll(() => router.session(guest.device.mac)).toBeUndefined();
      await router.settled();
    }
    expect(router.stats.ended).toEqual({ 'Idle-Timeout': 1, 'Session-Timeout': 1 });
    await guest.open();
    await guest.signIn(visitor);
    await expect(guest.page.getByRole('heading', { name: 'Your access has ended' })).toBeVisible();
    expect(router.session(guest.device.mac)).toBeUndefined();
    await page.reload();
    await expect(page.getByText('Expired').first()).toBeVisible();
  } finally {
    await guest.close();
    await router.close();
  }
});

test('three phones share one quota', async ({ browser, page, operator, product }) => {
  await enterPanel(page, { token: operator.token, language: 'en' });
  const venue = await makeVenue(operator);
  await operator.call('PUT', `panel/location/${venue.locationId}`, { time_zone: noonZone() });
  const visitor = await sell(operator, venue, {
    shared_user: 3,
    daily_quota: { is_active: true, option: 'gb', value: 1 },
  });
  const router = await openTimeMachine(product, venue.device);
  const guest = await joinNetwork(browser, router, { language: 'en' });
  try {
    const phones = [1, 2, 3].map(() => router.lease({ mac: randomMac() }));
    for (const phone of phones)
      expect((await router.signIn(phone, visitor.username, visitor.password)).outcome).toBe('accepted');
    const report = async (bytes: number) => {
      for (const phone of phones) router.use(phone, { uploadBytes: 0, downloadBytes: bytes });
      router.jump(61);
      await expect
        .poll(() => router.sessions().every(it => it.downloadBytes === 0 || it.lastUpdateAt > it.startedAt))
        .toBe(true);
      await router.settled();
    };
    await report(300e6);
    expect(router.sessions(), '900 MB of 1 GB').toHaveLength(3);
    await page.goto(`/visitors/${visitor.id}`);
    // Each of the three sessions has left what the visitor has.
    await expect(page.getByRole('cell', { name: '100 MB', exact: true })).toHaveCount(3);
    await expect(page.getByText('100 MB').first()).toBeVisible();

    await report(50e6);
    await expect.poll(() => router.sessions().length).toBe(0);
    expect(router.stats.ended).toEqual({ 'Admin-Reset': 3 });
    await router.settled();
    await expect(page.getByText('0 B').first()).toBeVisible();
    await guest.open();
    await guest.signIn(visitor);
    await expect(guest.page.getByRole('heading', { name: 'Today’s data is used up' })).toBeVisible();
  } finally {
    await guest.close();
    await router.close();
  }
});

test('a licence pressed twice, or in two windows at once, is one year', async ({ context, page, operator }) => {
  await enterPanel(page, { token: operator.token, language: 'en' });
  const { device } = await makeVenue(operator);
  const other = await context.newPage();
  const windows = [page, other];
  const question = async (window: typeof page) => {
    await window.goto(`/devices/${device.id}/license`);
    await window.getByRole('button', { name: '1 year' }).click();
    await expect(window.getByRole('dialog')).toBeVisible();
  };
  for (const window of windows) await question(window);
  const until = await other.getByRole('dialog').innerText();
  await page.getByRole('dialog').getByRole('button', { name: 'License', exact: true }).dblclick();
  await expect(page.getByText('Device licensed')).toBeVisible();
  const again = other.getByRole('dialog');
  if (await again.isVisible()) await again.getByRole('button', { name: 'License', exact: true }).click();
  await expect(again, 'the end has changed, so the question names another one').not.toHaveText(until);
  const { data } = await operator.call<{ data: { license_remain: number } }>('GET', `panel/device/${device.id}`);
  expect(data.license_remain).toBeGreaterThanOrEqual(364);
  expect(data.license_remain).toBeLessThanOrEqual(367);
});
