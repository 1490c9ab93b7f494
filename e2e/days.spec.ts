import { enterPanel } from './src/panel.ts';
import { expect, test } from './src/test.ts';
import { makeVenue, openRouter, randomMac } from './src/venue.ts';

// A day or more behind the venue, so the dates always differ.
test.use({ timezoneId: 'Pacific/Pago_Pago' });

/** The day of Kiritimati ends at 10:00 UTC, that of Apia an hour later: the day of the venue does not end during a journey. */
const ahead = () => (new Date().getUTCHours() === 9 ? 'Pacific/Apia' : 'Pacific/Kiritimati');

test('dates follow the time zone of the venue, not of the operator', async ({ page, operator, product }) => {
  await enterPanel(page, { token: operator.token, language: 'en' });
  const { name, locationId, device, visitor } = await makeVenue(operator);
  await operator.call('PUT', `panel/location/${locationId}`, { name, time_zone: ahead() });
  const router = await openRouter(product, device);
  try {
    const phone = router.lease({ mac: randomMac() });
    await router.signIn(phone, visitor.username, visitor.password);
    router.signOut(phone);
    await router.settled();
    await page.goto('/?period=today');
    await expect(page.getByText('1 in total, by hour')).toBeVisible();
    await page.goto('/reports/session-history?period=last7Days');
    await expect(page.getByRole('row').filter({ hasText: phone.mac })).toBeVisible();
  } finally {
    await router.close();
  }
});

test('times are shown and typed on the clocks of the venue, which are named', async ({ page, operator }) => {
  const words = await enterPanel(page, { token: operator.token, language: 'en' });
  const { name, locationId, visitor } = await makeVenue(operator);
  const zone = 'Pacific/Kiritimati';
  await operator.call('PUT', `panel/location/${locationId}`, { name, time_zone: zone });
  const { data } = await operator.call<{ data: { id: string; name: string }[] }>(
    'GET',
    `panel/client?search=${visitor.username}`,
  );
  const { id } = data[0]!;
  // Kiritimati is 14 hours ahead of UTC.
  const noon = '2031-03-09T22:00:25Z';
  await operator.call('PUT', `panel/client/${id}`, { session_end_at: noon });

  await page.goto(`/visitors/${id}`);
  await expect(page.getByText(`Times are in the time zone ${zone}.`)).toBeVisible();
  await expect(page.getByText('10 Mar 2031, 12:00')).toBeVisible();
  const edit = async () => {
    await page.goto(`/visitors?search=${visitor.username}`);
    const row = page.getByRole('row').filter({ hasText: data[0]!.name });
    await row.getByRole('button').last().click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    return page.getByRole('dialog');
  };
  const endOf = async () =>
    (await operator.call<{ data: { session_end_at: string } }>('GET', `panel/client/${id}`)).data.session_end_at;
  let dialog = await edit();
  const until = () => dialog.getByLabel('Valid until');
  await expect(until()).toHaveValue(/^(2031-03-10T12:00|10\.03\.2031 12:00)$/);
  await expect(dialog.getByText(`Mon, 10 Mar 2031, 12:00 · ${zone}`)).toBeVisible();
  await dialog.getByRole('button', { name: words.save }).click();
  await expect(dialog).toBeHidden();
  expect(await endOf()).toBe(noon);

  dialog = await edit();
  await until().fill('2031-03-10T13:30');
  await dialog.getByRole('button', { name: words.save }).click();
  await expect(dialog).toBeHidden();
  expect(new Date(await endOf()).toISOString()).toBe('2031-03-09T23:30:00.000Z');
});
