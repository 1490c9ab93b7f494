import type { Page } from '@playwright/test';
import { textsIn } from '../captive/src/texts/texts.ts';
import { openPortal } from './src/gates.ts';
import { joinNetwork } from './src/guest.ts';
import { texted } from './src/mail.ts';
import type { Operator } from './src/operator.ts';
import { expectLight, expectLightVisit, expectReadable, phones, slowDown, submit } from './src/phones.ts';
import type { Product } from './src/product.ts';
import { expect, test } from './src/test.ts';
import { makeVenue, openRouter } from './src/venue.ts';
import { missingPairs, nextLanguage, type Visit, visits } from './src/visits.ts';

/**
 * Whole visits on an iPhone and on an Android phone of 360 pixels. The visits, and the pairs of values that they cover, are in
 * `src/visits.ts`. The first view is loaded on slow 3G; the visits by SMS have most pages, and stay there. Bytes and requests
 * have limits here; seconds are measured by `npm run bench`.
 */

// Each visit has its own venue.
test.describe.configure({ mode: 'parallel' });

test('the visits cover each pair of values', () => {
  expect(missingPairs()).toEqual([]);
});

for (const visit of visits) {
  const { method, phone, script, text, language } = visit;
  const how = `${method}, ${language}, ${phone}, ${script ? 'with' : 'without'} script, text ${text} %`;
  test(`a visit on a slow network: ${how}`, async ({ browser, operator, product }) => {
    // No digits in the name, because the SMS contains it next to the code.
    const venue = await makeVenue(operator, 'Söğütözü');
    const then = nextLanguage(visit);
    await openPortal(operator, venue, visit, then);
    const { wrong, right } = await visit.guest(operator, venue);
    const router = await openRouter(product, venue.device);
    const guest = await joinNetwork(browser, router, { locale: language, script, phone: phones[phone] });
    const { page, device } = guest;
    const texts = textsIn(language);
    try {
      const traffic = await slowDown(page);
      await guest.open();
      await expectLight(page, traffic, script);
      await traffic.endSlowProcessor();
      if (method !== 'sms') await traffic.endSlowNetwork();
      await expectReadable(page, visit);
      if (visit.gates.includes('survey')) await answerSurvey(page, visit);

      await fillIn(page, visit, wrong);
      await connect(page, visit);
      await expect(page.getByRole('alert')).toBeVisible();
      await expectReadable(page, visit);
      await expectKept(page, visit, wrong);
      expect(router.session(device.mac)).toBeUndefined();

      await fillIn(page, visit, right);
      await connect(page, visit);
      if (method === 'sms') await enterCode(page, visit, product, right['phone']!);
      await expectOnline(page, visit);
      expect(router.session(device.mac), 'the router’s session of the guest').toBeDefined();
      expectLightVisit(traffic);

      if (visit.gates.includes('news')) await expectNews(operator, visit, right);
      if (visit.gates.includes('remember')) {
        router.signOut(device);
        await router.settled();
        await guest.open();
        await expectOnline(page, visit);
        expect(router.session(device.mac), 'the session of a guest who is remembered').toBeDefined();
      }
      await submit(page, () => page.getByRole('button', { name: texts.online.logOut }).click());
      await expect(page.getByRole('heading', { name: texts.problems.logged_out[0] })).toBeVisible();
      await expectReadable(page, visit);
      expect(router.session(device.mac)).toBeUndefined();
      await page.getByRole('link', { name: texts.signInAgain }).click();
      await expect(page.locator('main form').first()).toBeVisible();
      await expectReadable(page, visit);
      await submit(page, () => page.locator(`footer button[lang=${then}]`).click());
      await expectReadable(page, { ...visit, language: then });
    } finally {
      await guest.close();
      await router.close();
    }
  });
}

async function answerSurvey(page: Page, visit: Visit): Promise<void> {
  const { survey } = textsIn(visit.language);
  await expect(page.getByRole('heading', { name: survey.title })).toBeVisible();
  await page.getByRole('radio', { name: survey.faces.good, exact: true }).check();
  await submit(page, () => page.getByRole('button', { name: survey.send }).click());
  await expectReadable(page, visit);
}

/** Fills in the form of the method; a form behind a film waits until that is over. */
async function fillIn(page: Page, { method }: Visit, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(fields)) await page.locator(`#${method}-${name}`).fill(text);
  for (const box of await page.locator('main form input[type=checkbox]').all()) await box.check();
}

async function connect(page: Page, { language }: Visit): Promise<void> {
  await submit(page, () => page.getByRole('button', { name: textsIn(language).connect, exact: true }).click());
}

const secret = ['password', 'security_code'];

/** Expects the typed values again, except secrets, and the ticks. */
async function expectKept(page: Page, { method }: Visit, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(fields))
    await expect(page.locator(`#${method}-${name}`)).toHaveValue(secret.includes(name) ? '' : text);
  for (const box of await page.locator('main form input[type=checkbox]').all()) await expect(box).toBeChecked();
}

/** The code of the message, after a wrong one. */
async function enterCode(page: Page, visit: Visit, product: Product, typed: string): Promise<void> {
  const texts = textsIn(visit.language);
  await expect(page.getByRole('heading', { name: texts.code.title })).toBeVisible();
  await expectReadable(page, visit);
  const code = await texted(product, typed.replace(/\s/g, '').replace(/^0/, '+90'));
  const field = page.getByLabel(texts.fields.code);
  await field.fill(code === '000000' ? '000001' : '000000');
  await connect(page, visit);
  await expect(page.getByRole('heading', { name: texts.problems.wrong_code[0] })).toBeVisible();
  await expectReadable(page, visit);
  await field.fill(code);
  await connect(page, visit);
}

async function expectOnline(page: Page, visit: Visit): Promise<void> {
  const { online } = textsIn(visit.language);
  await expect(page.getByRole('heading', { name: online.title })).toBeVisible();
  await expect(page.getByText(online.timeLeft)).toBeVisible();
  await expectReadable(page, visit);
}

/** The operator has the consent of the guest, by the channel whose address the form asked for. */
async function expectNews(
  { call }: Operator,
  { language }: Visit,
  { email, phone }: Readonly<Record<string, string>>,
): Promise<void> {
  const { data } = await call<{ data: { channel: string; language: string }[] }>('GET', 'panel/consent');
  const channels = [...(email ? ['email'] : []), ...(phone ? ['sms'] : [])];
  expect(data.map(it => it.channel).sort()).toEqual(channels);
  expect(new Set(data.map(it => it.language))).toEqual(new Set([language]));
}
