import { joinNetwork } from './src/guest.ts';
import { enterPanel } from './src/panel.ts';
import { expect, expectAccessible, test } from './src/test.ts';
import { makeVenue, openRouter } from './src/venue.ts';

test('a location shows another portal at certain times, and its owner sees which @phone', async ({
  page,
  operator,
  browser,
  product,
}) => {
  const venue = await makeVenue(operator);
  const body = { name: 'Evening portal', location_id: venue.locationId };
  const { data: evening } = await operator.call<{ data: { id: string } }>('POST', 'panel/portal', body);
  await operator.call('PUT', `panel/portal/${evening.id}`, {
    messages: { welcome_message_title: { en: 'Good evening' } },
    providers: [{ slug: 'username', order: 0, is_active: true }],
  });
  await enterPanel(page, { token: operator.token, language: 'en' });
  await page.goto(`/locations/${venue.locationId}/edit`);
  const add = page.getByRole('button', { name: 'Add a period' });
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await add.click();
  const first = page.getByRole('group', { name: 'Period 1' });
  await first.getByRole('combobox', { name: 'Portal' }).selectOption({ label: 'Evening portal' });
  // A period needs a time, and both ends of its hours.
  await save.click();
  await expect(page.getByText('This field is required.')).toBeVisible();
  // A day but for a minute that is far away.
  const here = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', timeZone: 'Europe/Istanbul' });
  const isMorning = Number(here.format(new Date())) < 12;
  const [from, to] = isMorning ? (['00:00', '23:59'] as const) : (['12:00', '11:59'] as const);
  await first.getByRole('textbox', { name: 'From' }).fill(from);
  await first.getByRole('textbox', { name: 'To' }).fill(to);
  await add.click();
  const second = page.getByRole('group', { name: 'Period 2' });
  await second.getByRole('combobox', { name: 'Portal' }).selectOption({ label: 'Evening portal' });
  await second.getByRole('textbox', { name: 'From' }).fill('23:00');
  await second.getByRole('textbox', { name: 'To' }).fill('23:30');
  await save.click();
  await expect(page.getByText('At this time another period shows a portal.')).toBeVisible();
  // The field with the error is not under the bar of unsaved changes.
  await expect(second.getByRole('textbox', { name: 'From' })).toBeFocused();
  const [field, bar] = [second.getByRole('textbox', { name: 'From' }), page.getByText('unsaved changes')];
  await expect.poll(async () => (await bar.boundingBox())!.y - (await field.boundingBox())!.y).toBeGreaterThan(36);
  // Otherwise the header covers a part of another field, which then counts as too small.
  await page.evaluate(() => scrollTo(0, 0));
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Remove period 2' }).click();
  await save.click();
  await expect(page.getByText('Shown now')).toBeVisible();
  const shown = page.locator('dl').filter({ hasText: 'Shown now' });
  await expect(shown).toContainText('Evening portal');
  // After the period comes the location's own portal, and not the next evening.
  await expect(shown.locator('div').filter({ hasText: 'Next' })).toContainText(venue.name);

  // The device says the same, and the list of portals says where.
  await page.goto(`/devices/${venue.device.id}/edit`);
  await expect(page.locator('dl').filter({ hasText: 'Shown now' })).toContainText('Evening portal');
  await expectAccessible(page);
  await page.goto('/portals');
  await expect(page.getByText(/^Shown now: /).first()).toBeVisible();
  await expectAccessible(page);

  const router = await openRouter(product, venue.device);
  const guest = await joinNetwork(browser, router, { language: 'en' });
  try {
    await guest.open();
    await expect(guest.page.getByRole('heading', { name: 'Good evening' })).toBeVisible();
    await guest.signIn(venue.visitor);
    await guest.expectOnline();
  } finally {
    await guest.close();
    await router.close();
  }
});
