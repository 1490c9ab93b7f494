import { enterPanel } from './src/panel.ts';
import { noonZone } from './src/passing-time.ts';
import { expect, expectAccessible, test } from './src/test.ts';
import { makeVenue } from './src/venue.ts';

test('the sales report lists paying visitors by currency', async ({ page, operator }) => {
  const words = await enterPanel(page, { token: operator.token, language: 'en' });
  const { locationId } = await makeVenue(operator);
  await operator.call('PUT', `panel/location/${locationId}`, { time_zone: noonZone() });
  const paid = async (name: string, option: string, value: number) =>
    (
      await operator.call<{ data: { id: string } }>('POST', 'panel/location/user-profile', {
        location_id: locationId,
        name,
        paid_sale: { is_active: true, option, value },
      })
    ).data.id;
  await paid('Premium', 'eur', 5);
  const lira = await paid('Günlük', 'try', 45);
  await page.goto('/reports/sales-report');
  await expect(page.getByText(words.noSales)).toBeVisible();

  await page.goto('/visitors');
  await page.getByRole('button', { name: words.addVisitor }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(words.guestName).first().fill('Işıl Ödeyen');
  await dialog.getByLabel(words.username).fill('isil-odeyen');
  await dialog.getByRole('textbox', { name: words.password }).fill('gizli parola');
  await dialog.getByLabel(words.profile).first().click();
  await page.getByRole('option', { name: 'Premium' }).click();
  await dialog.getByLabel(words.paidDays).fill('3');
  await expect(dialog.getByText('€15')).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: words.save }).click();
  await expect(page.getByRole('row').filter({ hasText: 'Işıl Ödeyen' })).toBeVisible();
  const account = { name: 'Can Veren', provider_type: 'username', username: 'can-veren', password: 'gizli parola' };
  await operator.call('POST', 'panel/client', {
    ...account,
    location_id: locationId,
    profile_id: lira,
    total_paid_day: 2,
  });

  await page.goto('/reports/sales-report');
  const sums = page.getByRole('list', { name: words.salesSums }).getByRole('listitem');
  await expect(sums).toHaveCount(4);
  for (const sum of await sums.all()) {
    await expect(sum).toContainText('₺90');
    await expect(sum).toContainText('€15');
  }
  const list = page.getByRole('table', { name: words.salesList });
  const months = page.getByRole('table').first();
  await expect(months).toContainText('₺90');
  await expect(months).not.toContainText('€15');
  await page.getByText('EUR', { exact: true }).click();
  await expect(months).toContainText('€15');
  await expect(page).toHaveURL(/currency=eur/);
  await expectAccessible(page);

  const sale = list.getByRole('row').filter({ hasText: 'Işıl Ödeyen' });
  await sale.getByRole('button').click();
  await page.getByRole('menuitem', { name: words.reverseSale }).click();
  const reversal = page.getByRole('dialog');
  await reversal.getByLabel(words.reason).fill('Odası değişti');
  await expectAccessible(page);
  await reversal.getByRole('button', { name: words.reverseSale }).click();
  await expect(sale.filter({ hasText: 'Odası değişti' })).toBeVisible();
  await expect(sale).toHaveCount(2);
  for (const sum of await sums.all()) await expect(sum).not.toContainText('€15');
  await expectAccessible(page);
});

test('a search finds a guest by any field and shows an empty result @phone', async ({ page, operator }, {
  project,
}) => {
  const words = await enterPanel(page, { token: operator.token, language: project.name === 'phone' ? 'tr' : 'en' });
  const { locationId, visitor } = await makeVenue(operator);
  await operator.call('POST', 'panel/client', {
    location_id: locationId,
    name: 'Gülşah Öztürk',
    provider_type: 'room-number',
    room_number: '1204',
    ...{ birth_day: 5, birth_month: 6, birth_year: 1980, phone: '+90 532 765 43 21', email: 'gulsah@example.com' },
  });
  await page.goto('/visitors');
  const box = page.getByRole('searchbox').or(page.getByPlaceholder(words.searchVisitors)).first();
  const found = page.getByRole('row').filter({ hasText: 'Gülşah Öztürk' });
  const other = page.getByRole('row').filter({ hasText: 'Ayşe Gül Işık' });
  await expect(other).toBeVisible();
  for (const part of ['gülşah', '765 43', '1204', 'gulsah@']) {
    await box.fill(part);
    await expect(other, part).toBeHidden();
    await expect(found, part).toBeVisible();
  }
  await box.fill(visitor.username);
  await expect(found).toBeHidden();
  await expect(other).toBeVisible();
  await box.fill('nobody of that name');
  await expect(page.getByText(words.noMatch)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: words.clearAll }).click();
  await expect(found).toBeVisible();
  await expect(box).toHaveValue('');
});
