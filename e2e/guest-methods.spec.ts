import { randomBytes, randomInt } from 'node:crypto';
import type { Page } from '@playwright/test';
import { type Guest, joinNetwork } from './src/guest.ts';
import { mailed, texted } from './src/mail.ts';
import type { Operator } from './src/operator.ts';
import { enterPanel } from './src/panel.ts';
import type { Product } from './src/product.ts';
import { expect, test } from './src/test.ts';
import { makeVenue, openRouter, type Venue } from './src/venue.ts';

test.describe.configure({ timeout: 120_000 });

/** What an operator sets for a sign-in method by hand is in force for the next guest, whose browser runs no script. */

const methodNames = [
  'Citizen ID',
  'Room number',
  'SMS code',
  'Username and password',
  'Free access',
  'E-mail',
] as const;
type MethodName = (typeof methodNames)[number];

/** Opens a method's options in the editor, has them set, makes it the only method, and saves. */
async function setUp(page: Page, { portalId }: Venue, name: MethodName, choose: () => Promise<void>): Promise<void> {
  await page.goto(`/portals/${portalId}/edit/sign-in-methods`);
  const methods = page.getByRole('list', { name: 'Sign-in methods' });
  // The panel's first load, in a browser that has nothing of it yet.
  await expect(methods).toBeVisible({ timeout: 30_000 });
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

/** Chooses in a list; which of the texts is chosen already makes no difference. */
async function pick(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

/** Its name goes on with what it does. */
const turnOn = (page: Page, label: string) => page.getByRole('switch', { name: new RegExp(`^${label}`) }).press(' ');

/** What the guest's form asks for, in order. */
const asked = ({ page }: Guest) => page.locator('main form').first().locator('label').allInnerTexts();

/** Fills in the form, sends it, and waits for the page that follows: its words may be the same. */
async function send({ page, words }: Guest, fields: Record<string, string>): Promise<void> {
  for (const [label, text] of Object.entries(fields)) await page.getByLabel(label).fill(text);
  const answered = page.waitForEvent('load');
  await page.getByRole('button', { name: words.connect }).click();
  await answered;
}

const isTold = ({ page }: Guest, text: string) => expect(page.getByRole('alert')).toContainText(text);

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
  // Without digits in its name: a text message tells it beside the code.
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

test('room number: each way to ask is chosen by hand and is what guests are asked', async ({
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
      await isTold(guest, 'These details do not match');
      await send(guest, { 'Room number': String(room), ...proof });
      await guest.expectOnline();
    }
  });
});

test('citizen ID, checked here: the number alone, or with name and birth date', async ({
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
    await isTold(first, 'This is not a citizen ID number');
    await send(first, { [number]: '20000000282' });
    await isTold(first, 'These details do not match');
    await send(first, { [number]: '10000000146' });
    await first.expectOnline();

    await setUp(page, venue, 'Citizen ID', () =>
      pick(page, 'Required details', 'Identity number, name and birth date'),
    );
    const second = await join();
    const whole = { [number]: '20000000114', 'First name': 'ada', 'Last name': 'DENİZ', 'Date of birth': '1980-02-01' };
    expect(await asked(second)).toEqual(Object.keys(whole));
    await send(second, { ...whole, 'Last name': 'Çınar' });
    await isTold(second, 'These details do not match');
    await send(second, whole);
    await second.expectOnline();
  });
});

test('SMS: a security code, an address that must be given, numbers that are not sent to, the pause and the code', async ({
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
    await isTold(guest, 'Wrong security code');
    // Of a country that this product sends no messages to.
    await send(guest, { ...typed, 'Phone number': '+491711234567' });
    await isTold(guest, 'This is not a mobile number');
    await send(guest, typed);
    await expect(guest.page.getByRole('heading', { name: 'Enter the code' })).toBeVisible();

    // Another one so soon is refused, with how long to wait; so it is for who begins anew.
    await guest.page.getByRole('button', { name: 'Send a new code' }).click();
    await isTold(guest, 'A code is on its way');
    await isTold(guest, 'You can have another one sent in');
    await guest.page.getByRole('link', { name: 'Use another number' }).click();
    await send(guest, typed);
    await isTold(guest, 'A code is on its way');

    const code = await texted(product, phone);
    await send(guest, { 'Code from the message': code === '000000' ? '000001' : '000000' });
    await isTold(guest, 'Wrong code');
    await send(guest, { 'Code from the message': code });
    await guest.expectOnline();
    const { data } = await operator.call<{ data: object[] }>('GET', `panel/client?search=${encodeURIComponent(email)}`);
    expect(data).toMatchObject([{ email, phone }]);
  });
});

test('free access and e-mail: the minutes of a profile, an address to confirm by mail, a phone that must be given', async ({
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
      await isTold(guest, 'This is not a mobile number');
      await send(guest, typed);
      await guest.expectOnline();
      await timeLeft(guest);

      const link = await mailed(product, email, /(http\S+\/visitor\/confirm-email\/\S+)/);
      await page.goto(link);
      await expect(page.getByText('Thank you', { exact: false })).toBeVisible();
      await signOut(guest);
      await guest.open();
      await send(guest, typed);
      await guest.expectOnline();
      await timeLeft(guest);
    }
  });
});
