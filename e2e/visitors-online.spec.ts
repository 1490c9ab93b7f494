import type { Locator } from '@playwright/test';
import { joinNetwork } from './src/guest.ts';
import type { Operator } from './src/operator.ts';
import { enterPanel } from './src/panel.ts';
import { passDays } from './src/passing-time.ts';
import { expect, expectAccessible, test } from './src/test.ts';
import { brandOf, makeVenue, openRouter, openTimeMachine, randomMac, type Venue } from './src/venue.ts';

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();

/** Updates the venue's visitor. */
const change = (operator: Operator, { visitor }: Venue, more: object) =>
  operator.call('PUT', `panel/client/${visitor.id}`, {
    name: 'Ayşe Gül Işık',
    provider_type: 'username',
    username: visitor.username,
    ...more,
  });

test('an online guest gets more time as a sale, and is paused @phone', async ({ page, operator, product }, {
  project,
}) => {
  const words = await enterPanel(page, { token: operator.token, language: project.name === 'phone' ? 'tr' : 'en' });
  const venue = await makeVenue(operator);
  const profile = await operator.call<{ data: { id: string } }>('POST', 'panel/location/user-profile', {
    location_id: venue.locationId,
    name: 'Ücretli',
    paid_sale: { is_active: true, option: 'try', value: 45 },
  });
  await change(operator, venue, { profile_id: profile.data.id, session_end_at: inSeconds(3600) });
  const router = await openRouter(product, venue.device);
  try {
    const ipv6 = [1, 2, 3].map(last => Buffer.from(`20010db800070002aaaabbbbccccdd0${last}`, 'hex'));
    const phone = { ...router.lease({ mac: randomMac() }), ipv6 };
    await router.signIn(phone, venue.visitor.username, venue.visitor.password);
    const left = () => router.session(phone.mac)?.limits.sessionTimeout ?? 0;
    expect(left()).toBeLessThanOrEqual(3600);

    await page.goto(`/visitors/${venue.visitor.id}`);
    await page.getByRole('button', { name: words.extend }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: words.days }).fill('2');
    await expect(dialog.getByText('₺90')).toBeVisible();
    await dialog.getByRole('button', { name: words.extend, exact: true }).click();
    await expect(page.getByText(words.extended)).toBeVisible();
    await expect(page.getByRole('row').filter({ hasText: phone.mac })).toContainText(words.limitsUpdated);
    expect(left(), 'the running session has the time as well').toBeGreaterThan(2 * 86_400);
    // On a phone the row is a card, and the addresses are below one another.
    const row = page.getByRole('row').filter({ hasText: phone.mac });
    const end = (it: Locator) => it.evaluate(element => element.getBoundingClientRect().right);
    for (const address of [phone.ip, ...[1, 2, 3].map(last => `2001:db8:7:2:aaaa:bbbb:cccc:dd0${last}`)])
      expect(await end(row.getByText(address, { exact: true })), address).toBeLessThanOrEqual(await end(row));
    await expectAccessible(page);

    if (project.name === 'phone') {
      await page.goto('/online');
      const since = page.getByRole('cell').filter({ has: page.locator('time') });
      await expect(since).toBeVisible();
      const label = await since.evaluate(cell => getComputedStyle(cell, '::before').content);
      expect(label, 'a time alone does not say what it is').toBe('"Bağlanma:"');
    }

    await page.goto(`/visitors/${venue.visitor.id}/sales`);
    await expect(page.getByRole('row').filter({ hasText: '₺90' })).toBeVisible();
    await page.goto('/reports/sales-report');
    await expect(page.getByText('₺90').first()).toBeVisible();

    await page.goto(`/visitors/${venue.visitor.id}`);
    await page.getByRole('button', { name: words.pause }).click();
    await expect.poll(() => router.session(phone.mac)).toBeUndefined();
    expect((await router.signIn(phone, venue.visitor.username, venue.visitor.password)).outcome).toBe('rejected');
  } finally {
    await router.close();
  }
});

test('a session ends at its time limit, and the guest sees the reason', async ({ browser, operator, product }) => {
  const venue = await makeVenue(operator);
  await change(operator, venue, { session_end_at: inSeconds(3600) });
  const router = await openTimeMachine(product, venue.device);
  const guest = await joinNetwork(browser, router, { language: 'en' });
  try {
    await guest.open();
    await guest.signIn(venue.visitor);
    await guest.expectOnline();
    // The running session is told the new end. The clock of the router comes there first, so that the router ends it.
    const told = () => router.session(guest.device.mac)?.limits.sessionTimeout ?? 0;
    const before = told();
    await change(operator, venue, { session_end_at: inSeconds(1800) });
    await expect.poll(told).toBeLessThan(before);
    router.jump(told());
    await expect.poll(() => router.session(guest.device.mac)).toBeUndefined();
    expect(router.stats.ended).toEqual({ 'Session-Timeout': 1 });
    await router.settled();
    await passDays(product, venue.visitor.id, 1);
    await guest.open();
    await guest.signIn(venue.visitor);
    await expect(guest.page.getByRole('heading', { name: 'Your access has ended' })).toBeVisible();
  } finally {
    await guest.close();
    await router.close();
  }
});

// Phones show the same dialog.
test('the online dialog is filtered to one device', async ({ page, operator, product }) => {
  const words = await enterPanel(page, { token: operator.token, language: 'en' });
  const venue = await makeVenue(operator);
  const { data: second } = await operator.call<{ data: Venue['device'] }>('POST', 'panel/device', {
    location_id: venue.locationId,
    brand_id: await brandOf(operator, 'mikrotik'),
    name: 'Havuz',
    mac_address: randomMac(),
  });
  await change(operator, venue, { special_profile: true, shared_user: 5 });
  const routers = [await openRouter(product, venue.device), await openRouter(product, second)];
  try {
    const phones = [randomMac(), randomMac()];
    for (const [index, router] of routers.entries())
      await router.signIn(router.lease({ mac: phones[index]! }), venue.visitor.username, venue.visitor.password);
    await page.goto('/');
    await page.getByRole('button', { name: words.metricOnline }).click();
    const dialog = page.getByRole('dialog');
    const row = (mac: string | undefined) => dialog.getByRole('row').filter({ hasText: mac ?? '?' });
    await expect(row(phones[0])).toBeVisible();
    await expect(row(phones[1])).toBeVisible();
    await dialog.getByLabel(words.deviceLabel).first().click();
    await page.getByRole('option', { name: 'Havuz' }).click();
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: words.filter, exact: true }).click();
    await expect(row(phones[0])).toBeHidden();
    await expect(row(phones[1])).toBeVisible();
  } finally {
    for (const router of routers) await router.close();
  }
});

test('the dashboard’s dialog ends sessions and blocks guests @phone', async ({ page, operator, product }, {
  project,
}) => {
  const words = await enterPanel(page, { token: operator.token, language: project.name === 'phone' ? 'tr' : 'en' });
  const venue = await makeVenue(operator);
  await change(operator, venue, { special_profile: true, shared_user: 5 });
  const router = await openRouter(product, venue.device);
  try {
    const [ended, blocked] = [router.lease({ mac: randomMac() }), router.lease({ mac: randomMac() })];
    for (const phone of [ended, blocked]) await router.signIn(phone, venue.visitor.username, venue.visitor.password);
    await page.goto('/');
    await page.getByRole('button', { name: words.metricOnline }).click();
    const dialog = page.getByRole('dialog').first();
    const row = ({ mac }: { mac: string }) => dialog.getByRole('row').filter({ hasText: mac });

    await row(ended).getByRole('button', { name: words.end }).click();
    await expect(row(ended)).toBeHidden();
    expect(router.session(ended.mac)).toBeUndefined();
    expect(router.session(blocked.mac), 'the other one stays').toBeDefined();
    expect((await router.signIn(ended, venue.visitor.username, venue.visitor.password)).outcome).toBe('accepted');

    await row(blocked).getByRole('button', { name: words.block }).click();
    await expect(row(blocked)).toBeHidden();
    await expect(row(ended)).toBeVisible();
    expect(router.session(blocked.mac)).toBeUndefined();
    expect((await router.signIn(blocked, venue.visitor.username, venue.visitor.password)).outcome).toBe('rejected');
  } finally {
    await router.close();
  }
});

/** The input of a guest by method, and its display in the dialog of an operator who may see visitors. */
const methods = [
  {
    slug: 'room-number',
    options: { method: 'departureDate' },
    typed: { room_number: '1204', departure_date: '2099-08-15' },
    shown: ['Oda numarası', '1204', 'Ayrılış tarihi', '15 Ağu 2099'],
  },
  {
    slug: 'citizen-id',
    options: { provider_type: 'local', method: 'both' },
    typed: { citizen_id: '10000000146', first_name: 'Işıl', last_name: 'Çınar', birth_date: '1990-03-05' },
    shown: ['TCK', '10000000146', 'Ad', 'Soyad', 'Doğum tarihi'],
  },
  {
    slug: 'username',
    options: {},
    typed: { username: 'kimse', password: 'parola' },
    shown: ['Kullanıcı adı', 'kimse', 'Parola', '••••••••', 'Kullanıcı adı bilinmiyor', 'Ziyaretçiyi bul'],
  },
];

test('the dialog of failed sign-ins shows the input by method', async ({ page, browser, operator, product }) => {
  await enterPanel(page, { token: operator.token, language: 'tr' });
  const venue = await makeVenue(operator);
  const router = await openRouter(product, venue.device);
  const guest = await joinNetwork(browser, router);
  try {
    for (const { slug, options, typed } of methods) {
      const providers = [{ slug, order: 1, options }];
      await operator.call('PUT', `panel/portal/${venue.portalId}`, { name: venue.name, providers });
      await guest.open();
      for (const [name, text] of Object.entries(typed)) await guest.page.locator(`[name="${name}"]`).fill(text);
      await guest.page.getByRole('button', { name: guest.words.connect }).click();
      await expect(guest.page.getByRole('alert').first()).toBeVisible();
    }
    await page.goto('/');
    await page.getByRole('button', { name: /Başarısız/ }).click();
    const entry = page.getByRole('dialog').getByRole('listitem').filter({ hasText: guest.device.mac });
    await expect(entry).toContainText('Deneme sayısı');
    for (const [index, { shown }] of methods.toReversed().entries())
      for (const text of shown) await expect(entry.locator('tbody tr').nth(index)).toContainText(text);
    await expectAccessible(page);

    await guest.open();
    await guest.page.locator('[name="username"]').fill(venue.visitor.username);
    await guest.page.locator('[name="password"]').fill('başka parola');
    await guest.page.getByRole('button', { name: guest.words.connect }).click();
    await expect(guest.page.getByRole('alert').first()).toBeVisible();
    await page.goto('/');
    await page.getByRole('button', { name: /Başarısız/ }).click();
    const latest = entry.locator('tbody tr').first();
    await expect(latest).toContainText('Parola hatalı');
    await expect(latest).toContainText('Lobi');

    // The link of a notice, for an operator who works at another location meanwhile.
    await makeVenue(operator);
    await page.goto(`/?show=failed&locations=${venue.locationId}`);
    await expect(latest).toContainText('Parola hatalı');
    await expect(page).toHaveURL('/?show=failed');
    await expect(page.getByRole('banner')).toContainText(venue.name);
    await expect(page.getByText(`${venue.name} gösteriliyor`)).toBeVisible();
    // Several locations are shown together.
    const other = await makeVenue(operator);
    await page.goto(`/?show=failed&locations=${venue.locationId},${other.locationId}`);
    await expect(page.getByText('Tüm lokasyonlar gösteriliyor')).toBeVisible();
    await expect(latest).toContainText('Parola hatalı');
    await expect(page.getByRole('banner')).toContainText('Tüm lokasyonlar');
    await latest.getByRole('link', { name: 'Ziyaretçiyi aç' }).click();
    await expect(page).toHaveURL(/\/visitors\/[0-9a-f-]{36}/);
  } finally {
    await guest.close();
    await router.close();
  }
});

test('blocking a device in the report of multiple sessions removes its row', async ({ page, operator, product }) => {
  const words = await enterPanel(page, { token: operator.token, language: 'en' });
  const { visitor, device } = await makeVenue(operator);
  const router = await openRouter(product, device);
  try {
    const phone = router.lease({ mac: randomMac() });
    for (let times = 0; times < 2; times += 1) {
      await router.signIn(phone, visitor.username, visitor.password);
      router.signOut(phone);
      await router.settled();
    }
    await page.goto('/reports/mac-sessions');
    await page.getByRole('button', { name: `${words.blockOne}: ${phone.mac}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: words.blockOne, exact: true }).click();
    await expect(page.getByText(words.noMultiple)).toBeVisible();
    const { data } = await operator.call<{ data: { mac: string; comment: string }[] }>(
      'GET',
      `panel/device/${device.id}/macs?type=blocked`,
    );
    expect(data).toMatchObject([{ mac: phone.mac, comment: 'çoklu oturum tespiti' }]);
    expect((await router.signIn(phone, visitor.username, visitor.password)).outcome).toBe('rejected');
  } finally {
    await router.close();
  }
});
