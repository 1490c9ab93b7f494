import type { Page } from '@playwright/test';
import { inviteMember } from './src/members.ts';
import { enterPanel } from './src/panel.ts';
import { expect, test } from './src/test.ts';
import { makeVenue, openRouter, randomMac } from './src/venue.ts';

/** Pixels by which the table is wider than its frame. */
const excess = (page: Page) =>
  page.getByRole('table').evaluate(table => {
    const frame = table.parentElement!.getBoundingClientRect();
    return Math.max(0, Math.ceil(table.getBoundingClientRect().right - frame.right));
  });

// Beside the menu, and just above and below each width at which columns go.
const widths = [1600, 1440, 1439, 1366, 1281, 1280, 1181, 1180, 1024, 1001, 1000, 901, 900, 768, 701];

for (const language of ['en', 'tr'] as const)
  test(`wide tables fit their frame on every screen (${language})`, async ({ page, operator, product }) => {
    await enterPanel(page, { token: operator.token, language });
    const venue = await makeVenue(operator);
    await operator.call('PUT', `panel/client/${venue.visitor.id}`, {
      name: 'Ayşe Gül Karadeniz',
      provider_type: 'username',
      username: venue.visitor.username,
      phone: '+90 530 555 17 77',
      email: 'ayse.gul.karadeniz@example.com',
      session_end_at: '2099-12-31T20:00:00Z',
    });
    const router = await openRouter(product, venue.device);
    try {
      const phone = router.lease({ mac: randomMac() });
      await router.signIn(phone, venue.visitor.username, venue.visitor.password);
      router.use(phone, { uploadBytes: 123_456_789, downloadBytes: 1_234_567_890 });
      router.signOut(phone);
      await router.settled();
      for (const place of ['/reports/session-history', '/visitors']) {
        await page.goto(place);
        await expect(page.getByRole('row')).toHaveCount(2);
        for (const width of widths) {
          await page.setViewportSize({ width, height: 900 });
          expect.soft(await excess(page), `${place} at ${width} pixels`).toBe(0);
        }
      }
      // The longest status.
      await operator.call('POST', `panel/location/${venue.locationId}/suspend`);
      await page.goto('/visitors');
      await expect(page.getByRole('row').nth(1)).toContainText(
        language === 'tr' ? 'Lokasyon askıda' : 'Location suspended',
      );
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        expect.soft(await excess(page), `suspended at ${width} pixels`).toBe(0);
      }
    } finally {
      await router.close();
    }
  });

test('a member opens a shared view with a filter that is not theirs to choose, sees it, and removes it', async ({
  page,
  operator,
  product,
}) => {
  const venue = await makeVenue(operator);
  const form = { shared: 'location', location_id: venue.locationId, search: { devices: venue.device.id } };
  for (const list of ['online', 'history'])
    await operator.call('PUT', 'panel/saved-view', { ...form, list, name: 'Lobby' });
  const permissions = { clients: ['view'], 'basic-stats': ['view'] };
  await enterPanel(page, { token: await inviteMember(product, operator, venue, { permissions }), language: 'en' });
  for (const place of ['/online', '/reports/session-history']) {
    await page.goto(place);
    const filters = page.getByRole('search');
    await expect(filters.getByRole('button', { name: 'MAC' })).toBeVisible();
    await expect(filters.getByRole('button', { name: 'Device' }), 'devices are not shown to this member').toHaveCount(
      0,
    );
    await page.getByRole('button', { name: 'View', exact: true }).click();
    await page.getByRole('button', { name: /^Lobby/ }).click();
    await expect(filters.getByRole('button', { name: 'Device +1' })).toBeVisible();
    await filters.getByRole('button', { name: 'Remove filter: Device' }).click();
    await expect(filters.getByRole('button', { name: 'Device' })).toHaveCount(0);
    await expect(page).not.toHaveURL(/devices=/);
  }
});

test('a saved view with a value that a filter no longer has opens the list without it, and says so @phone', async ({
  page,
  operator,
}, { project }) => {
  const isPhone = project.name === 'phone';
  const venue = await makeVenue(operator);
  const search = { status: 'unheard-of', sort: 'name' };
  await operator.call('PUT', 'panel/saved-view', { list: 'visitors', name: 'Old', shared: 'own', search });
  await enterPanel(page, { token: operator.token, language: isPhone ? 'tr' : 'en' });
  await page.goto('/visitors');
  await expect(page.getByRole('row', { name: 'Ayşe Gül Işık' })).toBeVisible();
  await page.getByRole('button', { name: isPhone ? 'Görünüm' : 'View', exact: true }).click();
  await page.getByRole('button', { name: 'Old', exact: true }).click();
  const told = page.getByText(
    isPhone
      ? 'Değeri bilinmediği için kaldırılan filtre: Durum'
      : 'Filter removed because its value is unknown: Status',
  );
  await expect(told).toBeVisible();
  await expect(page.getByRole('row', { name: 'Ayşe Gül Işık' })).toBeVisible();
  // The rest of the view counts.
  await expect(page).toHaveURL(/\/visitors\?sort=name$/);

  // A choice of the user takes the message away.
  await page.goto(`/packages/purchases?state=unheard-of&location=${venue.locationId}&provider=unknown`);
  await expect(page.getByText(isPhone ? 'kaldırılan filtreler' : 'Filters removed')).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/packages/purchases\\?location=${venue.locationId}$`));
});
