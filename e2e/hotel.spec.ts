import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { apaleoClient, apaleoProperty, startApaleo } from '../server/src/features/integrations/testing/apaleo-pms.ts';
import { startFiasPms } from '../server/src/features/integrations/testing/fias-pms.ts';
import { mewsTokens, startMews } from '../server/src/features/integrations/testing/mews-pms.ts';
import { joinNetwork } from './src/guest.ts';
import { enterPanel } from './src/panel.ts';
import { expect, test } from './src/test.ts';
import { makeVenue, openRouter } from './src/venue.ts';

const day = (offset: number) =>
  new Date(Date.now() + offset * 86_400_000).toISOString().slice(2, 10).replaceAll('-', '');

/** Signs in as the guest in room 204, whom each of the hotels has. */
async function signInByRoom(guest: Awaited<ReturnType<typeof joinNetwork>>): Promise<void> {
  await guest.open();
  await guest.page.getByLabel('Room number').fill('204');
  await guest.page.getByLabel('Last name').fill('SISKIN');
  await guest.page.getByRole('button', { name: guest.words.connect }).click();
  await guest.expectOnline();
}

/** From a filled form of the wizard to the integration's page, which says that it is connected. */
async function finishWizard(page: Page, name: string): Promise<void> {
  const wizard = page.getByRole('dialog');
  await wizard.getByRole('button', { name: 'Test connection' }).click();
  await wizard.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
  await wizard.getByRole('button', { name: 'Save' }).click();
  await expect(wizard.getByText(`“${name}” is connected`)).toBeVisible();
  await wizard.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('link', { name }).click();
  await expect(page.getByText('Connected', { exact: true })).toBeVisible();
}

test('a hotel guest signs in with room and name, stays online in another room, and pays on the bill', async ({
  browser,
  page,
  operator,
  product,
}) => {
  const pms = await startFiasPms();
  const { device, portalId, name, locationId } = await makeVenue(operator);
  const providers = [{ slug: 'room-number', is_active: true, order: 0, options: { method: 'surname' } }];
  await operator.call('PUT', `panel/portal/${portalId}`, { name, providers });
  const profile = await operator.call<{ data: { id: string } }>('POST', 'panel/location/user-profile', {
    name: 'Premium',
    location_id: locationId,
    paid_sale: { is_active: true, option: 'eur', value: 5 },
  });
  pms.guests.set('7', { 'G#': '7', RN: '204', GN: 'Şişkin', GF: 'Gülşen', GA: day(-1), GD: day(3), GV: 'V1' });

  await enterPanel(page, { token: operator.token, language: 'en' });
  await page.goto(`${product.panel}/integrations`);
  await page.getByRole('button', { name: 'Add integration' }).first().click();
  const wizard = page.getByRole('dialog');
  await wizard.getByText('FIAS (Oracle OPERA)').click();
  await wizard.getByRole('button', { name: 'Next' }).click();
  await wizard.getByLabel('Host').fill('127.0.0.1');
  await wizard.getByLabel('Port').fill(String(pms.port));
  await wizard.getByRole('combobox', { name: 'Charges to rooms' }).click();
  await page.getByRole('option', { name: 'EUR', exact: true }).click();
  await finishWizard(page, 'Opera');

  const router = await openRouter(product, device);
  const guest = await joinNetwork(browser, router, { language: 'en' });
  try {
    await signInByRoom(guest);

    pms.change('7', { RN: '305' });
    const visitors = () =>
      operator
        .call<{ data: { id: string; room_number: string | null }[] }>('GET', `panel/client?location_id=${locationId}`)
        .then(({ data }) => data.filter(it => it.room_number));
    await expect.poll(async () => (await visitors()).map(it => it.room_number)).toEqual(['305']);
    expect(router.session(guest.device.mac)).toBeDefined();

    const { id } = (await visitors())[0]!;
    await operator.call('POST', `panel/client/${id}/move`, { profile_id: profile.data.id });
    pms.breaksBeforePosting = 1;
    pms.breaksAfterPosting = 1;
    await page.goto(`${product.panel}/visitors/${id}`);
    await page.getByRole('button', { name: 'Extend' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('switch', { name: 'Charge to room 305' }).check();
    await dialog.getByRole('button', { name: 'Extend' }).click();
    await expect(dialog).toBeHidden();
    await page.goto(`${product.panel}/integrations`);
    await page.getByRole('link', { name: 'Opera' }).click();
    await page.getByRole('link', { name: 'Room charges' }).click();
    await expect(page.getByText('On the bill')).toBeVisible();
    expect(pms.bill).toMatchObject([{ room: '305', reservation: '7', amount: 500 }]);
    expect(router.session(guest.device.mac)).toBeDefined();
  } finally {
    await guest.close();
    await router.close();
    await pms.stop();
  }
});

const clouds = [
  {
    name: 'Mews',
    start: async () => {
      const pms = await startMews();
      return { pms, bases: { 'mews-production': pms.url } };
    },
    values: { 'Client token': mewsTokens.client_token, 'Access token': mewsTokens.access_token },
    wrong: 'Access token',
  },
  {
    name: 'Apaleo',
    start: async () => {
      const pms = await startApaleo();
      return { pms, bases: { apaleo: pms.url, 'apaleo-identity': pms.url, 'apaleo-webhook': pms.url } };
    },
    values: {
      Property: apaleoProperty,
      'Client ID': apaleoClient.client_id,
      'Client secret': apaleoClient.client_secret,
    },
    wrong: 'Client secret',
  },
] as const;

test('hotels at Mews and Apaleo are connected in the wizard, and their guests sign in', async ({
  browser,
  page,
  operator,
  product,
}) => {
  await enterPanel(page, { token: operator.token, language: 'en' });
  for (const { name, start, values, wrong } of clouds) {
    const { pms, bases } = await start();
    writeFileSync(path.join(product.dataDir, 'cloud-hotels.json'), JSON.stringify(bases));
    pms.bookings.set('AAAA-1', {
      id: 'AAAA-1',
      room: '204',
      people: [{ first: 'Gülşen', last: 'Şişkin' }],
      from: -1,
      to: 3,
    });
    const { device, portalId, name: portal } = await makeVenue(operator);
    const providers = [{ slug: 'room-number', is_active: true, order: 0, options: { method: 'surname' } }];
    await operator.call('PUT', `panel/portal/${portalId}`, { name: portal, providers });

    await page.goto(`${product.panel}/integrations`);
    await page.getByRole('button', { name: 'Add integration' }).first().click();
    const wizard = page.getByRole('dialog');
    await wizard.getByText(name, { exact: true }).click();
    await wizard.getByRole('button', { name: 'Next' }).click();
    for (const [label, value] of Object.entries(values))
      await wizard
        .getByLabel(label)
        .first()
        .fill(label === wrong ? 'not this' : value);
    await wizard.getByRole('button', { name: 'Test connection' }).click();
    await expect(wizard.getByText('The server refused the username or password')).toBeVisible();
    await wizard
      .getByLabel(wrong)
      .first()
      .fill(Object.entries(values).find(([label]) => label === wrong)![1]);
    await finishWizard(page, `Hotel at ${name}`);

    const router = await openRouter(product, device);
    const guest = await joinNetwork(browser, router, { language: 'en' });
    try {
      await signInByRoom(guest);
    } finally {
      await guest.close();
      await router.close();
      await pms.stop();
    }
  }
});
