import type { Page } from '@playwright/test';
import { mailed } from './src/mail.ts';
import { callApi, tokenOf } from './src/operator.ts';
import { enterPanel } from './src/panel.ts';
import type { Product } from './src/product.ts';
import { expect, expectAccessible, signIn, test } from './src/test.ts';
import { totp } from './src/totp.ts';

const password = 'a quiet harbour 7';
let count = 0;
/** Unique among journeys, projects and runs. */
const someone = (name: string) => `${name}.${Date.now()}.${process.pid}.${++count}@example.com`;

/** Registers a user with a location who has completed the onboarding and, by default, confirmed the address. */
async function registered(product: Product, locationName: string, { confirmed = true } = {}) {
  const email = someone('owner');
  const body = {
    first_name: 'Deniz',
    last_name: 'Kaya',
    location_name: locationName,
    email,
    phone_number: '+90 532 000 00 00',
    password,
  };
  await callApi(product, { method: 'POST', path: 'user/register', body });
  const token = await tokenOf(product, { email, password });
  if (confirmed) {
    const link = await mailed(product, email, /confirm-email\/([\w-]+)/);
    await callApi(product, { method: 'POST', path: 'visitor/confirm-email', token, body: { token: link, email } });
  }
  type Me = { data: { active_location: { id: string } } };
  const me = await callApi<Me>(product, { method: 'GET', path: 'panel/user/me', token });
  await callApi(product, { method: 'POST', path: 'panel/portal', token, body: { name: locationName } });
  return { email, password, token, locationId: me.data.active_location.id };
}

const submit = (page: Page) => page.locator('form button[type=submit]').click();
const dialog = (page: Page) => page.getByRole('dialog');

test('a forgotten password is reset by a mailed code', async ({ page, product }) => {
  const { email } = await registered(product, 'Forgetful Hotel');
  await page.goto('/auth/login');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.getByLabel('E-mail').fill(email);
  await submit(page);
  await expect(page.getByText('Your reset code was sent.')).toBeVisible();
  await expectAccessible(page);

  const code = await mailed(product, email, /Subject: (\d{6}) /);
  await page.getByLabel('Code').fill('000000');
  await page.getByLabel('New password', { exact: true }).fill('another harbour 8');
  await page.getByLabel('Repeat new password').fill('another harbour 9');
  await submit(page);
  await expect(page.getByText('The passwords do not match.')).toBeVisible();
  await page.getByLabel('Repeat new password').fill('another harbour 8');
  await submit(page);
  await expect(page.getByText('The code is wrong or no longer valid.')).toBeVisible();
  await page.getByLabel('Code').fill(code);
  await submit(page);
  await expect(page).toHaveURL(/\/auth\/complete/);
  await signIn(page, { email, password: 'another harbour 8' });
});

test('an invited user joins, sees what was granted, and nothing after the revocation', async ({
  page,
  product,
  browser,
}) => {
  const owner = await registered(product, 'Harbour Hotel');
  const guest = someone('reception');
  await signIn(page, owner);
  await page.goto(`/locations/${owner.locationId}/edit/users`);
  await page.getByRole('button', { name: 'Add administrator' }).first().click();
  await dialog(page).getByLabel('E-mail').fill(guest);
  await dialog(page).getByRole('button', { name: 'Reception desk' }).click();
  await expectAccessible(page);
  await dialog(page).getByRole('button', { name: 'Send invitation' }).click();
  await expect(page.getByText('Invitation sent', { exact: true })).toBeVisible();
  await expect(page.getByRole('table', { name: 'Pending Invitations' })).toContainText(guest);

  const context = await browser.newContext();
  const theirs = await context.newPage();
  await theirs.goto(
    `${product.panel}/invitation/accept/${await mailed(product, guest, /invitation\/accept\/([\w-]+)/)}`,
  );
  await expect(theirs.getByRole('heading', { level: 1 })).toHaveText('Join Harbour Hotel');
  await expect(theirs.getByLabel('E-mail')).toHaveValue(guest);
  await expectAccessible(theirs);
  await theirs.getByLabel('First name').fill('Ece');
  await theirs.getByLabel('Last name').fill('Yılmaz');
  await theirs.getByLabel('Phone number').fill('+90 533 000 00 00');
  await theirs.getByLabel('Password', { exact: true }).fill(password);
  await submit(theirs);
  await expect(theirs).toHaveURL(`${product.panel}/auth/login`);
  await expect(theirs.getByText('You are now a member of Harbour Hotel. Sign in to go on.')).toBeVisible();
  // Only the password is missing.
  await expect(theirs.getByLabel('E-mail')).toHaveValue(guest);
  await expect(theirs.getByLabel('Password', { exact: true })).toBeFocused();
  await theirs.goBack();
  await theirs.reload();
  await expect(theirs.getByRole('heading', { level: 1 })).toHaveText('This invitation has already been used');
  await theirs.goForward();
  await expect(theirs.getByLabel('E-mail')).toHaveValue(guest);
  await theirs.getByLabel('Password', { exact: true }).fill(password);
  await submit(theirs);
  await expect(theirs.getByRole('button', { name: /^Account/ })).toBeVisible();
  await expect(theirs).toHaveURL(`${product.panel}/`);

  await theirs.goto(`${product.panel}/onboarding/device`);
  await expect(theirs.getByText("You don't have access to this screen")).toBeVisible();
  await theirs.goto(`${product.panel}/visitors`);
  await expect(theirs.getByRole('button', { name: 'Add visitor' }).first()).toBeVisible();
  await theirs.goto(`${product.panel}/locations/${owner.locationId}/edit/users`);
  await expect(theirs.getByText("You don't have access to this screen")).toBeVisible();

  await page.reload();
  const members = page.getByRole('table', { name: 'Administrators' });
  await expect(members).toContainText('Reception desk');
  await members.getByRole('button', { name: 'Actions for Ece Yılmaz' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  // Members of a location may always view its basic statistics.
  const statistics = dialog(page).getByRole('checkbox', { name: 'Statistics: View' });
  await expect(statistics).toBeChecked();
  await expect(statistics).toBeDisabled();
  await dialog(page).getByRole('checkbox', { name: 'Visitors: View' }).uncheck();
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(members).toContainText('adjusted');
  await theirs.goto(`${product.panel}/visitors`);
  await expect(theirs.getByText("You don't have access to this screen")).toBeVisible();

  await members.getByRole('button', { name: 'Actions for Ece Yılmaz' }).click();
  await page.getByRole('menuitem', { name: 'Revoke' }).click();
  await dialog(page).getByRole('button', { name: 'Yes' }).click();
  await expect(members).not.toContainText('Ece Yılmaz');
  await theirs.goto(`${product.panel}/locations`);
  await expect(theirs.getByRole('heading', { name: 'You no longer have a location' })).toBeVisible();
  await expect(theirs.getByRole('main')).not.toContainText('Harbour Hotel');
  await context.close();
});

test('an invitation of an existing user appears in the notifications', async ({ page, product }) => {
  const owner = await registered(product, 'Lighthouse Hotel');
  const other = await registered(product, 'Pier Café', { confirmed: false });
  const confirmation = await mailed(product, other.email, /confirm-email\/([\w-]+)/);
  const link = `/visitor/confirm-email/${confirmation}?email=${encodeURIComponent(other.email)}`;
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'Sign in to confirm' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Go to sign-in' }).click();
  await page.locator('input[name=email]').fill(other.email);
  await page.locator('input[name=password]').fill(password);
  await submit(page);
  await expect(page.getByText('Your email address has been verified.')).toBeVisible();
  await page.goto('/visitor/confirm-email/nonsense?email=a@example.com');
  await expect(page.getByRole('heading', { name: 'An issue occurred' })).toBeVisible();
  await expect(page.getByText('a newer one has replaced it')).toBeVisible();
  await page.goto('/visitor/confirm-email/nonsense');
  await expect(page.getByText('Open the link in the e-mail itself')).toBeVisible();

  // The code that checks a form loads when it is needed. Until then the form shows that it was sent.
  const held = Promise.withResolvers<void>();
  await page.route(/account-schemas/, async route => {
    await held.promise;
    await route.continue();
  });
  await page.goto('/account/settings');
  await page.getByRole('button', { name: 'Save settings' }).click();
  await expect(page.locator('form[aria-busy=true]')).toBeVisible();
  held.resolve();
  await expect(page.getByText('Settings saved')).toBeVisible();

  await callApi(product, {
    method: 'POST',
    path: `panel/location/${owner.locationId}/user`,
    token: owner.token,
    body: { email: other.email },
  });
  // Shown without a reload.
  await page.getByRole('button', { name: /^Notifications: \d+ unread/ }).click();
  await expect(page.getByText('You are invited to Lighthouse Hotel').first()).toBeVisible();
  await expectAccessible(page, { part: 'section[aria-label="Notifications"]' });
  await page.getByRole('button', { name: 'Accept' }).click();
  await expect(page.getByText('You are now a member of Lighthouse Hotel')).toBeVisible();
});

test('a second factor is set up and required at sign-in', async ({ page, product }) => {
  const who = await registered(product, 'Careful Hotel');
  await signIn(page, who);
  await page.goto('/account/security');
  await page.getByRole('button', { name: 'Set up' }).click();
  await dialog(page).getByLabel('Current password').fill(password);
  await dialog(page).getByRole('button', { name: 'Continue' }).click();
  const secret = await dialog(page).locator('code').innerText();
  await expectAccessible(page);
  await dialog(page).getByLabel('Code from the app').fill(totp(secret));
  await dialog(page).getByRole('button', { name: 'Turn on' }).click();
  const recovery = await dialog(page).getByRole('listitem').first().innerText();
  await dialog(page).getByRole('checkbox').check();
  await dialog(page).getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText('10 recovery codes left')).toBeVisible();

  await page.getByRole('button', { name: /^Account:/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL(/\/auth\/login/);
  await page.locator('input[name=email]').fill(who.email);
  await page.locator('input[name=password]').fill(password);
  await submit(page);
  await expect(page.getByRole('heading', { name: 'Two-factor authentication' })).toBeVisible();
  await expectAccessible(page);
  await expect(page.getByRole('button', { name: 'Use a passkey' })).toHaveCount(0);
  await page.getByLabel('Authentication code').fill('000000');
  await submit(page);
  await expect(page.getByText('The code is wrong or no longer valid.')).toBeVisible();
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(recovery);
  await submit(page);
  await page.waitForURL(url => !url.pathname.startsWith('/auth/'));
});

test('the tenant’s brand changes the sign-in page, and the audit log names the user', async ({ page, operator }) => {
  const title = `Your guests, always connected ${Date.now()}`;
  await signIn(page, operator);
  await page.goto('/settings');
  await expectAccessible(page);
  await page.getByLabel('Title', { exact: true }).fill(title);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Settings saved')).toBeVisible();
  await page.goto('/settings/audit?kind=tenant');
  await page.getByRole('table').getByRole('button').first().click();
  await expect(dialog(page)).toContainText(title);
  await expectAccessible(page);
  await page.evaluate(() => localStorage.clear());
  await page.goto('/auth/login');
  await expect(page.getByText(title)).toBeVisible();
});

test('in an empty tenant an auditor reads the audit log, and a member gets the wizard', async ({
  page,
  product,
  operator,
}) => {
  const email = someone('auditor');
  const body = { first_name: 'Ada', last_name: 'Denetçi', email, password, role: 'auditor' };
  await callApi(product, { method: 'POST', path: 'panel/tenant/users', token: operator.token, body });
  const token = await tokenOf(product, { email, password });
  let role = 'auditor';
  // The tenant of the other journeys has devices.
  await page.route('**/v1/panel/user/me', async route => {
    const answer = await route.fetch();
    const { data } = (await answer.json()) as { data: object };
    await route.fulfill({ response: answer, json: { data: { ...data, role, total_devices: 0, total_portals: 0 } } });
  });
  await enterPanel(page, { token, language: 'en' });
  await page.goto('/settings/audit');
  await expect(page.getByRole('table').getByRole('button').first()).toBeVisible();
  await expect(page).toHaveURL(/\/settings\/audit/);
  await page.goto('/onboarding/device');
  await expect(page.getByText("You don't have access to this screen")).toBeVisible();
  role = 'member';
  await page.goto('/settings/audit');
  await page.waitForURL(/\/onboarding\/device/);
  // The user is read with every navigation, so a reading may be under way.
  await page.unrouteAll({ behavior: 'wait' });
});
