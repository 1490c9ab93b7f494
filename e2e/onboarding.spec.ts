import type { Page } from '@playwright/test';
import { callApi, tokenOf } from './src/operator.ts';
import { expect, expectAccessible, signIn, test } from './src/test.ts';
import { openRouter, randomMac } from './src/venue.ts';

const password = 'a quiet harbour 7';

/** The data of a registration; unique among projects and runs. */
const newcomer = (project: string) => ({ email: `newcomer.${project}.${Date.now()}@example.com`, password });

const submit = (page: Page) => page.locator('form button[type=submit]').click();

async function register(page: Page, email: string, location = 'Quiet Harbour'): Promise<void> {
  await page.goto('/auth/register');
  await page.getByLabel('First name').fill('Deniz');
  await page.getByLabel('Last name').fill('Kaya');
  await page.getByLabel('Location name').fill(location);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Phone number').fill('+90 532 000 00 00');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await submit(page);
  await expect(page).toHaveURL(/\/auth\/complete/);
}

test('a new user registers, completes the wizard, and a guest signs in at the router @phone', async ({
  page,
  product,
}, { project }) => {
  const who = newcomer(project.name);
  await register(page, who.email);
  await signIn(page, who);

  // Every path redirects to the wizard until it is completed.
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Which router do you have?');
  await page.goto('/visitors');
  await expect(page).toHaveURL(/\/onboarding\/device/);
  const help = page.getByRole('link', { name: 'Help' });
  await expect(help).toHaveAttribute('href', '/help/first-router');
  const [manual] = await Promise.all([page.waitForEvent('popup'), help.click()]);
  await expect(manual.getByRole('heading', { level: 1 })).toContainText('first router');
  await manual.close();
  // The account can be protected before.
  await page.getByRole('link', { name: 'Password and security' }).click();
  await expect(page.getByRole('button', { name: 'Set up' })).toBeVisible();
  await page.getByRole('link', { name: 'Back' }).click();
  await expect(page).toHaveURL(/\/onboarding\/device/);
  const proceed = page.getByRole('button', { name: 'Continue' });
  await expect(proceed).toBeDisabled();
  await page.getByRole('radio', { name: 'WatchGuard' }).check();
  await proceed.click();
  await expect(page.getByLabel('Serial number')).toBeVisible();
  await expect(page.getByText('Its serial number identifies it.')).toBeVisible();
  await expect(page.getByLabel('Shared secret').first()).toHaveAttribute('readonly');
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('radio', { name: 'MikroTik' }).check();
  await proceed.click();
  await expect(page.getByLabel('Device name')).toBeVisible();

  // The step is in the URL, so a reload loses only unsaved input.
  await page.reload();
  const save = page.getByRole('button', { name: 'Save' });
  await expect(save).toBeDisabled();
  await page.getByLabel('Device name').fill('Lobi');
  await expect(save).toBeDisabled();
  await page.getByLabel('MAC address').fill('02:AB');
  await expect(save, 'half an address').toBeDisabled();
  await page.getByLabel('MAC address').fill(randomMac());
  await expect(page.getByLabel('Profile name')).toHaveValue('Standart User Profile');
  await expect(page.getByLabel('Devices at once')).toHaveValue('3');
  await page.getByRole('switch', { name: 'Download' }).click();
  await expectAccessible(page);
  await save.click();

  await expect(page.getByRole('heading', { level: 1 })).toHaveText("Design your guests' sign-in page");
  await expect(page.locator('iframe[data-ready]')).toBeAttached();

  // Going back edits the created device and creates no second one.
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByLabel('Device name').fill('Reception');
  await page.getByLabel('Devices at once').fill('2');
  await save.click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText("Design your guests' sign-in page");

  // A later visit continues with the same device, and the first step stays reachable.
  await page.goto('/onboarding/device');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText("Design your guests' sign-in page");
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByLabel('Device name')).toHaveValue('Reception');
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByRole('radio', { name: 'MikroTik' })).toBeChecked();
  await proceed.click();
  await save.click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText("Design your guests' sign-in page");
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Harbour Wi-Fi');
  await page.getByText('Sign-in methods', { exact: true }).click();
  await page.getByRole('switch', { name: 'Free access' }).click();
  await save.click();

  await expect(page.getByRole('heading', { level: 1 })).toHaveText('You have successfully completed the setup');
  await expectAccessible(page);

  const token = await tokenOf(product, who);
  const get = <Row>(path: string) => callApi<{ data: Row[] }>(product, { method: 'GET', path, token });
  const { data: devices } = await get<{ id: string; name: string }>('panel/device');
  expect(devices.map(it => it.name)).toEqual(['Reception']);
  const { data: portals } = await get<{ id: string; name: string }>('panel/portal');
  expect(portals.map(it => it.name)).toEqual(['Harbour Wi-Fi']);
  const { data: profiles } = await get('panel/location/user-profile');
  expect(profiles).toMatchObject([
    { name: 'Standart User Profile', shared_user: 2, is_default: true, max_download: { is_active: true } },
  ]);

  await page.getByRole('link', { name: 'Go to the dashboard' }).click();
  await expect(page).toHaveURL(/\/$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dashboard');

  // With an existing portal the wizard offers to edit it.
  await page.goto('/onboarding/device');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText("Design your guests' sign-in page");

  const visitor = { username: 'first-guest', password: 'gizli 1', name: 'İlk Misafir', provider_type: 'username' };
  await callApi(product, { method: 'POST', path: 'panel/client', token, body: visitor });
  type Device = { data: { nas_identifier: string; secret: string } };
  const path = `panel/device/${devices[0]?.id}`;
  const { data: device } = await callApi<Device>(product, { method: 'GET', path, token });
  const router = await openRouter(product, device);
  const answer = await router.signIn(router.lease({ mac: randomMac() }), visitor.username, visitor.password);
  expect(answer.outcome).toBe('accepted');
  await router.close();
});

test('a licence request notifies the administrators', async ({ page, operator }, { project }) => {
  const who = newcomer(`licence.${project.name}`);
  // Other journeys register a Quiet Harbour too.
  const location = `Harbour ${Date.now()}`;
  await register(page, who.email, location);
  await signIn(page, who);
  await page.goto('/onboarding/subscribe');
  await expect(page.getByText('15 days left until demo ends')).toBeVisible();
  await page.getByRole('radio', { name: '3 years' }).check();
  await page.getByRole('link', { name: 'Continue' }).click();
  await expect(page.getByRole('main')).toContainText('3 years');
  await page.getByRole('button', { name: 'Send request' }).click();
  await expect(page.getByText('Your licence request was sent')).toBeVisible();
  const notifications = await operator.call<{ data: { type: string }[] }>('GET', 'panel/notification');
  expect(JSON.stringify(notifications.data)).toContain(location);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/auth\/login/);
});

test('opening the portal step creates nothing, and the paths of the specification lead to the portals', async ({
  page,
  product,
}, { project }) => {
  const who = newcomer(project.name);
  await register(page, who.email);
  await signIn(page, who);
  await page.goto('/onboarding/portal');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText("Design your guests' sign-in page");
  await expect(page.locator('iframe[data-ready]')).toBeAttached();
  const token = await tokenOf(product, who);
  const portals = () => callApi<{ data: { id: string }[] }>(product, { method: 'GET', path: 'panel/portal', token });
  expect((await portals()).data).toEqual([]);
  await page.goto('/onboarding/device');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Which router do you have?');

  await page.goto('/onboarding/portal');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page).not.toHaveURL(/onboarding/);
  const [portal, ...others] = (await portals()).data;
  expect(others).toEqual([]);

  await page.goto('/admin/portals?search=x&reloadAuthentication');
  await expect(page).toHaveURL(/\/portals\?search=x$/);
  await page.goto(`/admin/portals/${portal!.id}/edit/sign-in-methods#top`);
  await expect(page).toHaveURL(new RegExp(`/portals/${portal!.id}/edit/sign-in-methods#top$`));
  await expect(page.getByText('Guests cannot sign in')).toHaveCount(0);
  await page.getByRole('switch', { name: 'Username' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Guests cannot sign in', { exact: true })).toBeVisible();
  await expectAccessible(page);
});
