import type { Page } from '@playwright/test';
import { mailed } from './src/mail.ts';
import { callApi, type Operator, tokenOf } from './src/operator.ts';
import { enterPanel } from './src/panel.ts';
import { expect, expectAccessible, signIn, test } from './src/test.ts';
import { makeVenue } from './src/venue.ts';

const password = 'a quiet harbour 7';
let count = 0;
/** Unique among journeys, projects and runs. */
const someone = (name: string) => `${name}.${Date.now()}.${process.pid}.${++count}@example.com`;
const dialog = (page: Page) => page.getByRole('dialog');

type Made = { data: { id: string } };
const place = async (operator: Operator, name: string): Promise<string> =>
  (await operator.call<Made>('POST', 'panel/location', { name })).data.id;

async function makeReseller(operator: Operator) {
  const who = { email: someone('reseller'), password };
  const form = { ...who, first_name: 'Rana', last_name: 'Satar', role: 'reseller' };
  const { data } = await operator.call<Made>('POST', 'panel/tenant/users', form);
  return { ...who, id: data.id };
}
const choose = async (page: Page, row: string, action: string) => {
  await page.getByRole('button', { name: `Actions for ${row}` }).click();
  await page.getByRole('menuitem', { name: action }).click();
};

test('changed and new roles of a location are offered in invitations', async ({ page, operator }) => {
  const location = await place(operator, 'Role Hotel');
  await signIn(page, operator);
  await page.goto(`/locations/${location}/edit/users`);
  const roles = page.getByRole('table', { name: 'Roles' });
  await expect(roles.getByRole('row')).toHaveCount(5);
  await choose(page, 'Viewer', 'Edit');
  await dialog(page).getByRole('checkbox', { name: 'Devices: View' }).uncheck();
  await expectAccessible(page, { part: '[role=dialog]' });
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(roles.getByRole('row', { name: /Viewer/ })).toContainText('adjusted');

  await page.getByRole('button', { name: 'Add role' }).click();
  await dialog(page).getByRole('textbox', { name: 'Role' }).fill('Manager');
  await dialog(page).getByRole('checkbox', { name: 'Visitors: View' }).check();
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(dialog(page).getByText('This is already in use.')).toBeVisible();
  await dialog(page).getByRole('textbox', { name: 'Role' }).fill('Night shift');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(roles).toContainText('Night shift');
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Add administrator' }).first().click();
  await dialog(page).getByRole('button', { name: 'Viewer' }).click();
  await expect(dialog(page).getByRole('checkbox', { name: 'Devices: View' })).not.toBeChecked();
  await dialog(page).getByRole('button', { name: 'Night shift' }).click();
  await expect(dialog(page).getByRole('checkbox', { name: 'Visitors: View' })).toBeChecked();
  await expect(dialog(page).getByRole('checkbox', { name: 'Portals: View' })).not.toBeChecked();
  await dialog(page).getByLabel('E-mail').fill(someone('night'));
  await dialog(page).getByRole('button', { name: 'Send invitation' }).click();
  await expect(page.getByRole('table', { name: 'Pending Invitations' })).toContainText('Night shift');

  await choose(page, 'Viewer', 'Reset');
  await expect(page.getByText('Role reset')).toBeVisible();
  await expect(roles).not.toContainText('adjusted');
  await choose(page, 'Night shift', 'Delete');
  await dialog(page).getByRole('button', { name: 'Yes' }).click();
  await expect(roles).not.toContainText('Night shift');
});

test('the link of an invitation shows its purpose and its state', async ({ page, operator, product }) => {
  const location = await place(operator, 'Link Hotel');
  const link = async (email: string) => {
    const made = await operator.call<Made>('POST', `panel/location/${location}/user`, { email });
    return { id: made.data.id, path: `/invitation/accept/${await mailed(product, email, /accept\/([\w-]+)/)}` };
  };
  const title = page.getByRole('heading', { level: 1 });
  const guest = someone('guest');
  const first = await link(guest);

  await signIn(page, operator);
  await page.goto(first.path);
  await expect(
    page.getByText(`This invitation is for ${guest}, but you are signed in as ${operator.email}.`),
  ).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Sign out and continue' }).click();
  await expect(title).toHaveText('Join Link Hotel');
  await page.getByRole('button', { name: 'Decline invitation' }).click();
  await page.getByRole('button', { name: 'Decline', exact: true }).click();
  await expect(title).toHaveText('Invitation declined');
  await page.reload();
  await expect(title).toHaveText('This invitation was declined');

  const second = await link(someone('late'));
  await operator.call('DELETE', `team/members/invite/${second.id}`);
  await page.goto(second.path);
  await expect(title).toHaveText('This invitation was withdrawn');
  await expectAccessible(page);
  await page.goto('/invitation/accept/nonsense');
  await expect(title).toHaveText('This invitation does not exist');

  // The panel notifies the sender.
  await signIn(page, operator);
  await page.goto('/notifications');
  await expect(page.getByRole('main')).toContainText(guest);
});

test('a reseller who receives a location finds it by name among more than a hundred', async ({
  page,
  operator,
  product,
}) => {
  const reseller = await makeReseller(operator);
  const token = await tokenOf(product, reseller);
  for (let n = 0; n < 104; n++)
    await callApi(product, { method: 'POST', path: 'panel/location', token, body: { name: `Aile Oteli ${n}` } });
  const name = `Zirve Otel ${Date.now()}`;
  await place(operator, name);

  await signIn(page, operator);
  await page.goto(`/settings/users?search=${encodeURIComponent(reseller.email)}`);
  await choose(page, 'Rana Satar', 'Edit');
  const given = dialog(page).getByRole('combobox', { name: 'Reseller’s locations' });
  await given.fill(name);
  await page.getByRole('option', { name }).click();
  await given.press('Escape');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Administrator updated')).toBeVisible();

  await page.evaluate(() => localStorage.clear());
  await signIn(page, reseller);
  await page.getByRole('button', { name: /^Location: .*\. Change it$/ }).click();
  const search = page.getByRole('combobox', { name: 'Find a location…' });
  await expect(page.getByRole('option', { name: /^Aile Oteli/ }).first()).toBeVisible();
  await expect(page.getByRole('option', { name })).toHaveCount(0);
  await search.fill('Zirve');
  await expect(page.getByRole('option', { name })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('option', { name }).click();
  await expect(page.getByRole('button', { name: `Location: ${name}. Change it` })).toBeVisible();
});

test('deleting a location lists its contents first; deleting a used profile asks for a replacement', async ({
  page,
  operator,
}) => {
  const location = await place(operator, `Old Hotel ${Date.now()}`);
  const profile = (name: string, is_default = false) =>
    operator.call('POST', 'panel/location/user-profile', { location_id: location, name, is_default });
  await profile('Day pass', true);
  await operator.call('POST', 'panel/client/bulk', {
    location_id: location,
    total_user: 3,
    name: 'Kart',
    provider_type: 'username',
  });
  await signIn(page, operator);
  await page.goto(`/locations/${location}/edit/user-profiles`);
  await choose(page, 'Day pass', 'Delete');
  await expect(dialog(page)).toContainText('It is the only profile of the location');
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  await profile('Week pass');
  await page.reload();
  await choose(page, 'Day pass', 'Delete');
  await expect(dialog(page).getByLabel('Replacement profile')).toHaveValue(/.+/);
  await expectAccessible(page, { part: '[role=dialog]' });
  await dialog(page).getByRole('button', { name: 'Replace and delete' }).click();
  await expect(page.getByRole('row', { name: /Week pass/ })).toContainText('Default');

  await page.goto(`/locations/${location}/edit`);
  await page.getByRole('button', { name: 'Delete location' }).click();
  await expect(dialog(page)).toContainText('3 visitors');
  await expect(dialog(page)).toContainText('1 session profile');
  await expectAccessible(page, { part: '[role=dialog]' });
  await dialog(page).getByRole('button', { name: 'Yes' }).click();
  await expect(dialog(page)).toContainText('Attention!');
  await dialog(page).getByRole('button', { name: 'Delete permanently' }).click();
  await page.waitForURL(/\/$/, { waitUntil: 'commit' });
  await expect(page.getByText('Location deleted')).toBeVisible();
  await page.goto(`/locations/${location}/edit`);
  await expect(page.getByRole('heading', { level: 1, name: 'Not found' })).toBeVisible();
  await expect(page.getByRole('main')).not.toContainText('Old Hotel');
});

for (const [language, words] of Object.entries({
  en: { add: 'Add profile', name: 'Name', devices: 'Devices at once', save: 'Save', whole: 'Enter a whole number.' },
  tr: { add: 'Profil ekle', name: 'Ad', devices: 'Eşzamanlı cihaz', save: 'Kaydet', whole: 'Tam sayı girin.' },
} as const))
  test(`a fraction in a field of whole numbers gets a message and stays (${language})`, async ({ page, operator }) => {
    const location = await place(operator, `Halves ${Date.now()}`);
    await enterPanel(page, { token: operator.token, language: language as 'en' | 'tr' });
    await page.goto(`/locations/${location}/edit/user-profiles`);
    await page.getByRole('button', { name: words.add }).first().click();
    await dialog(page).getByRole('textbox', { name: words.name, exact: true }).fill('Half');
    const devices = dialog(page).getByLabel(words.devices);
    const save = dialog(page).getByRole('button', { name: words.save, exact: true });
    for (const typed of ['1,5', '1.5', '1.000']) {
      await devices.fill('');
      await devices.pressSequentially(typed);
      await save.click();
      await expect(devices).toHaveAccessibleDescription(words.whole);
      await expect(devices).toHaveValue(typed);
    }
    await devices.fill('12');
    await save.click();
    await expect(page.getByRole('row', { name: /Half/ })).toContainText('12');
  });

test('the brand requires its names', async ({ page, operator }) => {
  await signIn(page, operator);
  await page.goto('/settings');
  await page.getByRole('textbox', { name: 'Brand name', exact: true }).fill('');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Fill in empty areas.')).toBeVisible();
});

test('a new location can use a shared portal, but not the portal of another location', async ({ page, operator }) => {
  const own = await place(operator, 'Location with its own portal');
  const names = { shared: `Shared ${Date.now()}`, own: `Own ${Date.now()}` };
  const shared = await operator.call<Made>('POST', 'panel/portal', { name: names.shared, location_id: null });
  await operator.call('POST', 'panel/portal', { name: names.own, location_id: own });
  await signIn(page, operator);
  await page.goto('/locations');
  await page.getByRole('button', { name: 'Add location' }).first().click();
  const portal = dialog(page).getByLabel('Welcome portal');
  await expect(portal.getByRole('option', { name: names.shared })).toBeAttached();
  await expect(portal.getByRole('option', { name: names.own })).toHaveCount(0);
  await portal.selectOption(names.shared);
  await dialog(page).getByRole('textbox', { name: 'Name', exact: true }).fill('Fair House');
  await expectAccessible(page, { part: '[role=dialog]' });
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Fair House' })).toBeVisible();
  await expect(page.getByLabel('Welcome portal')).toHaveValue(shared.data.id);

  // One Save button: in the header, or in the bar while there are changes. The administrators have none.
  const save = page.getByRole('button', { name: 'Save', exact: true });
  // Input from before the saved values arrive stays. The saved field shows them, here without the spaces.
  const typed = Promise.withResolvers<void>();
  await page.route(/\/panel\/location\/[\w-]+$/, async route => {
    if (route.request().method() === 'GET') await typed.promise;
    await route.continue();
  });
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  await name.fill('  Fair Manor ');
  await save.click();
  await expect(page.getByText('Location updated')).toBeVisible();
  await page.getByLabel('District').fill('Kemer');
  typed.resolve();
  await expect(page.getByRole('heading', { level: 1, name: 'Fair Manor' })).toBeVisible();
  await expect(name).toHaveValue('Fair Manor');
  await expect(page.getByLabel('District')).toHaveValue('Kemer');
  await expect(page.getByText('unsaved changes')).toBeVisible();
  await save.click();
  await expect(page.getByText('unsaved changes')).toBeHidden();
  await expect(save).toBeVisible();
  await page.getByRole('link', { name: 'Administrators', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Add administrator' }).first()).toBeVisible();
  await expect(save).toHaveCount(0);
});

test('a venue’s administrator finds the way to a licence where the lack is shown @phone', async ({
  page,
  operator,
  product,
  browser,
}) => {
  const { name, locationId: location, device } = await makeVenue(operator);
  const email = someone('venue');
  await operator.call('POST', `panel/location/${location}/user`, { email });
  const invite_token = await mailed(product, email, /accept\/([\w-]+)/);
  const who = { first_name: 'Vedat', last_name: 'Otelci', email, phone_number: '+905551112233', password };
  await callApi(product, { method: 'POST', path: 'user/register', body: { ...who, invite_token } });
  const license_end_at = new Date(Date.now() + 2 * 86_400_000).toISOString();
  await operator.call('POST', `panel/location/${location}/license`, { license_end_at });

  await enterPanel(page, { token: await tokenOf(product, { email, password }), language: 'en' });
  await page.goto('/');
  const notice = page.getByRole('region', { name: `The licence of ${name} ends in 2 days` });
  await expect(notice).toBeVisible();
  await expectAccessible(page);
  await notice.getByRole('link', { name: 'Request a licence' }).click();
  await page.waitForURL('/onboarding/subscribe');
  await page.getByText('2 years', { exact: true }).click();
  await page.getByRole('link', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Send request' }).click();
  await expect(page.getByText('Your licence request was sent')).toBeVisible();

  await page.goto(`/devices/${device.id}`);
  await page
    .getByRole('region', { name: /^Demo: \d+ days left/ })
    .getByRole('link', { name: 'Request a licence' })
    .click();
  await page.waitForURL('/onboarding/subscribe');

  await operator.call('POST', `panel/location/${location}/suspend`);
  await page.goto('/');
  await expect(page.getByRole('region', { name: `${name} is suspended` })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Request a licence' }), 'a licence would not help').toHaveCount(0);
  await expect(page.getByText('Your provider has suspended this location')).toBeVisible();

  // A browser of its own: a sign-in as another user ends the first user's pages.
  const reseller = await browser.newContext();
  const above = await reseller.newPage();
  await enterPanel(above, { token: operator.token, language: 'en' });
  await above.goto(`/devices/${device.id}`);
  await above.getByRole('region', { name: 'Service stopped' }).getByRole('link', { name: 'Open the customer' }).click();
  await expect(above.getByRole('button', { name: 'Resume' })).toBeVisible();
  await reseller.close();
});
