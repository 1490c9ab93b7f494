import { randomBytes, randomInt } from 'node:crypto';
import type { Page } from '@playwright/test';
import { type Guest, joinNetwork } from './src/guest.ts';
import { mailed, texted } from './src/mail.ts';
import type { Operator } from './src/operator.ts';
import { enterPanel } from './src/panel.ts';
import type { Product } from './src/product.ts';
import { expect, test } from './src/test.ts';
import { makeVenue, openRouter, type Venue } from './src/venue.ts';

/** Options of a sign-in method apply to the next guest, whose browser runs no script. */

const methodNames = [
  'Citizen ID',
  'Room number',
  'SMS code',
  'Username and password',
  'Free access',
  'E-mail',
] as const;
type MethodName = (typeof methodNames)[number];

/** Opens a method's options in the editor, sets them, makes it the only method, and saves. */
async function setUp(page: Page, { portalId }: Venue, name: MethodName, choose: () => Promise<void>): Promise<void> {
  await page.goto(`/portals/${portalId}/edit/sign-in-methods`);
  const methods = page.getByRole('list', { name: 'Sign-in methods' });
  // The first load of the panel with an empty cache.
  await expect(methods).toBeVisible();
  for (const each of methodNames) {
    const on = methods.getByRole('switch', { name: each, exact: true });
    if ((await on.isChecked()) !== (each === name)) await on.press(' ');
  }
  await methods.getByRole('button', { name: `Options: ${name}`, exact: true }).click();
  await choose();
  const saved = page.waitForResponse(it => it.request().method() === 'PUT' && it.url().includes('/panel/portal/'));
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  expect((await saved).status()).toBe(200);
}

/** Chooses an option of a select, whatever its current value. */
async function pick(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).selectOption({ label: option });
}

/** The accessible name continues with a description. */
const turnOn = (page: Page, label: string) => page.getByRole('switch', { name: new RegExp(`^${label}`) }).press(' ');

/** The names of the form's fields, in order. */
const asked = ({ page }: Guest) => page.locator('main form').first().locator('label').allInnerTexts();

/** Fills in and submits the form, and waits for the next page, whose texts may be the same. */
async function send({ page, words }: Guest, fields: Record<string, string>): Promise<void> {
  for (const [label, text] of Object.entries(fields)) await page.getByLabel(label).fill(text);
  const answered = page.waitForEvent('load');
  await page.getByRole('button', { name: words.connect }).click();
  await answered;
}

const expectMessage = ({ page }: Guest, text: string) => expect(page.getByRole('alert')).toContainText(text);

interface Scene {
  readonly venue: Venue;
  readonly page: Page;
  /** A new guest at the sign-in page. */
  join(): Promise<Guest>;
  signOut(guest: Guest): Promise<void>;
}

async function inScene(
  it: { browser: import('@playwright/test').Browser; page: Page; operator: Operator; product: Product },
  play: (scene: Scene) => Promise<void>,
): Promise<void> {
  // No digits in the name, because the SMS contains it next to the code.
  const venue = await makeVenue(it.operator, 'Söğütözü');
  const router = await openRouter(it.product, venue.device);
  const guests: Guest[] = [];
  await enterPanel(it.page, { token: it.operator.token, language: 'en' });
  const join = async () => {
    const guest = await joinNetwork(it.browser, router, { language: 'en', script: false });
    guests.push(guest);
    await guest.open();
    return guest;
  };
  const signOut = async ({ device }: Guest) => {
    router.signOut(device);
    await router.settled();
  };
  try {
    await play({ venue, page: it.page, join, signOut });
  } finally {
    for (const guest of guests) await guest.close();
    await router.close();
  }
}

const born = { birth_day: 1, birth_month: 2, birth_year: 1980 };

test('room number: each variant chosen in the editor is asked of guests', async ({
  browser,
  page,
  operator,
  product,
}) => {
  await inScene({ browser, page, operator, product }, async ({ venue, join }) => {
    const ways = {
      'Room, identity number and birth date': { 'ID or passport number': 'u 123', 'Date of birth': '1980-02-01' },
      'Room and birth date': { 'Date of birth': '1980-02-01' },
      'Room and identity number': { 'ID or passport number': 'U123' },
      'Room and departure date': { 'Departure date': '2099-08-15' },
    };
    let room = 200;
    for (const [option, proof] of Object.entries(ways)) {
      room += 1;
      await operator.call('POST', 'panel/client', {
        location_id: venue.locationId,
        name: 'Ada Deniz',
        provider_type: 'room-number',
        room_number: String(room),
        idNumber: 'U-123',
        session_end_at: '2099-08-15T09:00:00Z',
        ...born,
      });
      await setUp(page, venue, 'Room number', () => pick(page, 'Required details', option));
      const guest = await join();
      expect(await asked(guest)).toEqual(['Room number', ...Object.keys(proof)]);
      const wrong = Object.entries(proof).map(([label, text]) => [label, text.replace('1', '2')] as const);
      await send(guest, { 'Room number': String(room), ...Object.fromEntries(wrong) });
      await expectMessage(guest, 'These details do not match');
      await send(guest, { 'Room number': String(room), ...proof });
      await guest.expectOnline();
    }
  });
});

test('citizen ID, checked offline: the number alone, or with name and birth date', async ({
  browser,
  page,
  operator,
  product,
}) => {
  await inScene({ browser, page, operator, product }, async ({ venue, join }) => {
    for (const provider_id of ['10000000146', '20000000114'])
      await operator.call('POST', 'panel/client', {
        location_id: venue.locationId,
        name: 'Ada Deniz',
        provider_type: 'citizen-id',
        provider_id,
        ...born,
      });
    const number = 'Citizen ID number';
    await setUp(page, venue, 'Citizen ID', async () => {
      await pick(page, 'Verification', 'Number format and visitor list');
      await pick(page, 'Required details', 'Only the identity number');
    });
    const first = await join();
    expect(await asked(first)).toEqual([number]);
    await send(first, { [number]: '10000000147' });
    await expectMessage(first, 'This is not a citizen ID number');
    await send(first, { [number]: '20000000282' });
    await expectMessage(first, 'These details do not match');
    await send(first, { [number]: '10000000146' });
    await first.expectOnline();

    await setUp(page, venue, 'Citizen ID', () =>
      pick(page, 'Required details', 'Identity number, name and birth date'),
    );
    const second = await join();
    const whole = { [number]: '20000000114', 'First name': 'ada', 'Last name': 'DENİZ', 'Date of birth': '1980-02-01' };
    expect(await asked(second)).toEqual(Object.keys(whole));
    await send(second, { ...whole, 'Last name': 'Çınar' });
    await expectMessage(second, 'These details do not match');
    await send(second, whole);
    await second.expectOnline();
  });
});

test('SMS: security code, required e-mail address, excluded numbers, waiting time and code', async ({
  browser,
  page,
  operator,
  product,
}) => {
  await inScene({ browser, page, operator, product }, async ({ venue, join }) => {
    await setUp(page, venue, 'SMS code', async () => {
      await turnOn(page, 'Ask for an e-mail address');
      await turnOn(page, 'Required');
      await turnOn(page, 'Ask for a security code');
      await page.getByRole('textbox', { name: 'Security code' }).fill('Mavi-7');
    });
    const guest = await join();
    expect(await asked(guest)).toEqual(['Phone number', 'E-mail', 'Security code']);
    const phone = `+90533${String(randomInt(1e7)).padStart(7, '0')}`;
    const email = `ada.${randomBytes(4).toString('hex')}@example.com`;
    const typed = { 'Phone number': phone, 'E-mail': email, 'Security code': 'mavi-7' };
    await send(guest, { ...typed, 'Security code': 'kırmızı' });
    await expectMessage(guest, 'Wrong security code');
    // A country that is not in SMS_PREFIXES.
    await send(guest, { ...typed, 'Phone number': '+491711234567' });
    await expectMessage(guest, 'This is not a mobile number');
    await send(guest, typed);
    await expect(guest.page.getByRole('heading', { name: 'Enter the code' })).toBeVisible();

    // A second code within the waiting time is refused, also after starting over.
    await guest.page.getByRole('button', { name: 'Send a new code' }).click();
    await expectMessage(guest, 'A code is on its way');
    await expectMessage(guest, 'You can request another one in');
    await guest.page.getByRole('link', { name: 'Use another number' }).click();
    await send(guest, typed);
    await expectMessage(guest, 'A code is on its way');

    const code = await texted(product, phone);
    await send(guest, { 'Code from the message': code === '000000' ? '000001' : '000000' });
    await expectMessage(guest, 'Wrong code');
    await send(guest, { 'Code from the message': code });
    await guest.expectOnline();
    const { data } = await operator.call<{ data: object[] }>('GET', `panel/client?search=${encodeURIComponent(email)}`);
    expect(data).toMatchObject([{ email, phone }]);
  });
});

test('free access and e-mail: minutes of a profile, address to confirm, required phone number', async ({
  browser,
  page,
  operator,
  product,
}) => {
  await inScene({ browser, page, operator, product }, async ({ venue, join, signOut }) => {
    const short = { is_active: true, option: 'minute', value: 10 };
    const profile = { location_id: venue.locationId, name: 'On dakika', shared_user: 1, session_duration: short };
    await operator.call('POST', 'panel/location/user-profile', profile);
    const timeLeft = (guest: Guest) =>
      expect(guest.page.locator('dl > div').filter({ hasText: guest.words.timeLeft }).locator('dd')).toHaveText(
        /^(9|10) min/,
      );

    for (const [method, label] of [
      ['Free access', 'E-mail'],
      ['E-mail', 'E-mail'],
    ] as const) {
      await setUp(page, venue, method, async () => {
        await pick(page, 'Session profile', 'On dakika');
        await turnOn(page, 'Confirm the address by e-mail');
        await turnOn(page, 'Ask for a phone number');
        await turnOn(page, 'Required');
      });
      const guest = await join();
      expect(await asked(guest)).toEqual([label, 'Phone number']);
      await expect(guest.page.getByText('We will mail you a link to confirm your address.')).toBeVisible();
      const email = `bora.${randomBytes(4).toString('hex')}@example.com`;
      const typed = { [label]: email, 'Phone number': '0532 765 43 21' };
      await send(guest, { ...typed, 'Phone number': '12' });
      await expectMessage(guest, 'This is not a mobile number');
      await send(guest, typed);
      await guest.expectOnline();
      await timeLeft(guest);

      await page.goto(await mailed(product, email, /(http\S+\/confirm-email\?t=\S+&lang=en)/));
      await page.getByRole('button', { name: 'Yes, confirm' }).click();
      await expect(page.getByText('Thank you', { exact: false })).toBeVisible();
      await signOut(guest);
      await guest.open();
      await send(guest, typed);
      await guest.expectOnline();
      await timeLeft(guest);
    }
  });
});
