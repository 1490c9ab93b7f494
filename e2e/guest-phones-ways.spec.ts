import type { Browser, Page } from '@playwright/test';
import type { Texts } from '@portico/contract/guest-texts/keys.ts';
import { textsIn } from '../captive/src/texts/texts.ts';
import { startProvider } from '../server/src/features/guests/testing/provider.ts';
import { openRegistry } from '../server/src/features/guests/testing/registry-server.ts';
import { type Gate, openPortal } from './src/gates.ts';
import { joinNetwork } from './src/guest.ts';
import type { Operator } from './src/operator.ts';
import {
  expectLight,
  expectLightVisit,
  expectReadable,
  type PhoneName,
  phones,
  slowDown,
  submit,
} from './src/phones.ts';
import type { Product } from './src/product.ts';
import { expect, test } from './src/test.ts';
import { makeVenue, openRouter, type Venue } from './src/venue.ts';
import { card, type Visit } from './src/visits.ts';

/**
 * Ways to sign in that need more than a form, on the phones of `guest-phones.spec.ts`, each with the gates that it can have.
 * The first view is loaded on slow 3G.
 */

test.describe.configure({ mode: 'parallel' });

interface Way extends Pick<Visit, 'method' | 'options' | 'script' | 'text' | 'language'> {
  readonly phone: PhoneName;
  readonly gates: readonly Gate[];
}

interface Scene {
  readonly page: Page;
  readonly texts: Texts;
  readonly venue: Venue;
  /** Expects the page in the guest's language, nothing wider than the phone. */
  readonly readable: () => Promise<void>;
  readonly answerSurvey: () => Promise<void>;
  readonly tick: () => Promise<void>;
  readonly connect: () => Promise<void>;
  /** Opens the first view. */
  readonly open: () => Promise<void>;
  /** Ends the slow network and the slow processor. */
  readonly speedUp: () => Promise<void>;
}

type Fixtures = { readonly browser: Browser; readonly operator: Operator; readonly product: Product };

/** A visit from the first page to the log-out; `signIn` does what the way needs between. */
async function visitBy(
  { browser, operator, product }: Fixtures,
  way: Way,
  prepare: (venue: Venue) => Promise<unknown>,
  signIn: (scene: Scene) => Promise<void>,
): Promise<void> {
  const venue = await makeVenue(operator, 'Söğütözü');
  await openPortal(operator, venue, way);
  await prepare(venue);
  const router = await openRouter(product, venue.device);
  const { language, script, phone } = way;
  const guest = await joinNetwork(browser, router, { locale: language, script, phone: phones[phone] });
  const { page, device } = guest;
  const texts = textsIn(language);
  const readable = () => expectReadable(page, way);
  try {
    const traffic = await slowDown(page);
    const speedUp = async () => {
      await traffic.endSlowProcessor();
      await traffic.endSlowNetwork();
    };
    await signIn({
      page,
      texts,
      venue,
      readable,
      answerSurvey: async () => {
        await page.getByRole('radio', { name: texts.survey.faces.good, exact: true }).check();
        await submit(page, () => page.getByRole('button', { name: texts.survey.send }).click());
        await readable();
      },
      tick: async () => {
        for (const box of await page.locator('main form input[type=checkbox]').all()) await box.check();
      },
      connect: async () =>
        void (await submit(page, () => page.getByRole('button', { name: texts.connect, exact: true }).click())),
      open: async () => {
        await guest.open();
        await expectLight(page, traffic, script);
        await speedUp();
        await readable();
      },
      speedUp,
    });
    await expect(page.getByRole('heading', { name: texts.online.title })).toBeVisible();
    await readable();
    expect(router.session(device.mac), 'the router’s session of the guest').toBeDefined();
    expectLightVisit(traffic);
    await submit(page, () => page.getByRole('button', { name: texts.online.logOut }).click());
    await expect(page.getByRole('heading', { name: texts.problems.logged_out[0] })).toBeVisible();
    await readable();
    expect(router.session(device.mac)).toBeUndefined();
  } finally {
    await guest.close();
    await router.close();
  }
}

test('a voucher’s QR code, in Persian without script', async ({ browser, operator, product }) => {
  const options = { collect_email: true };
  const look = { phone: 'android', script: false, text: 200, language: 'fa' } as const;
  const way = { ...look, method: 'voucher', options, gates: ['terms', 'news', 'period'] } as const;
  let link = '';
  await visitBy(
    { browser, operator, product },
    way,
    async venue => {
      link = (await card(operator, venue)).sign_in_url;
    },
    async ({ page, texts, readable, speedUp, tick, connect }) => {
      await page.goto(link);
      await expect(page.getByRole('heading', { name: texts.pass.title })).toBeVisible();
      await speedUp();
      await readable();
      await page.getByRole('link', { name: texts.connect }).click();
      // The code is filled in; the terms are still to be accepted.
      await expect(page.locator('#voucher-voucher')).toHaveValue(/\w/);
      await readable();
      await page.locator('#voucher-email').fill('ada@example.com');
      await tick();
      await connect();
    },
  );
});

test('an OpenID account, in French with script', async ({ browser, operator, product }) => {
  const client = { id: 'portico', secret: 'their secret' };
  const provider = await startProvider(client);
  const look = { phone: 'android', script: true, text: 100, language: 'fr' } as const;
  const way = { ...look, method: 'username', options: {}, gates: ['terms', 'survey', 'period'] } as const;
  try {
    await visitBy(
      { browser, operator, product },
      way,
      ({ locationId }) => {
        const secrets = { client_id: client.id, client_secret: client.secret };
        const connection = { type: 'openid', issuer: provider.issuer, ...secrets, label: 'Köy Kimlik' };
        const form = { name: 'Kimlik', location_id: locationId, integration_id: 'openid', params: { connection } };
        return operator.call('POST', 'panel/integration', form);
      },
      async ({ page, readable, open, answerSurvey, tick }) => {
        await open();
        await answerSurvey();
        await tick();
        await page.getByRole('button', { name: /Köy Kimlik/ }).click();
        await page.getByRole('link', { name: 'Continue as Ada Deniz' }).click();
        await page.waitForURL(/\/online/);
        await readable();
      },
    );
  } finally {
    provider.close();
  }
});

test('a package that is paid online, in Russian without script', async ({ browser, operator, product }) => {
  const look = { phone: 'iphone', script: false, text: 200, language: 'ru' } as const;
  const way = { ...look, method: 'username', options: {}, gates: ['terms', 'survey', 'period'] } as const;
  await visitBy(
    { browser, operator, product },
    way,
    async ({ locationId }) => {
      const paid_sale = { is_active: true, option: 'eur', value: 5 };
      const at = { location_id: locationId };
      const profile = { ...at, name: 'Gün', paid_sale };
      const { data } = await operator.call<{ data: { id: string } }>('POST', 'panel/location/user-profile', profile);
      const connection = { type: 'test-payment' };
      const account = { ...at, name: 'Ödeme', integration_id: 'test-payment', params: { connection } };
      await operator.call('POST', 'panel/integration', account);
      const price = { price: 499, currency: 'eur', tax_rate: 2000, max_days: 7 };
      await operator.call('POST', 'panel/package', { ...at, ...price, profile_id: data.id, name: { ru: 'День' } });
    },
    async ({ page, readable, open, answerSurvey, tick }) => {
      await open();
      await answerSurvey();
      await page.locator('main a[href*="/buy?"]').first().click();
      await readable();
      await page.locator('form.offer button').click();
      await page.locator('main input[name=email]').fill('ada@example.com');
      await tick();
      await readable();
      await submit(page, () => page.locator('form#form-buy button[type=submit].button').first().click());
      await readable();
      // Let out for some minutes, the guest reaches the page of the provider.
      await page.locator('main a.button').first().click();
      await page.locator('main form button').first().click();
    },
  );
});

test('a citizen whom the national registry knows, in Ukrainian with script', async ({ browser, operator, product }) => {
  const registry = await openRegistry(product.registryPort);
  registry.people.add('10000000146|ADA DENİZ|ÇINAR|1980');
  const options = { method: 'both', provider_type: 'nvi', remember: 'cookie' };
  const look = { phone: 'iphone', script: true, text: 100, language: 'uk' } as const;
  const way = { ...look, method: 'citizen-id', options, gates: ['terms', 'film', 'remember'] } as const;
  try {
    await visitBy(
      { browser, operator, product },
      way,
      async () => undefined,
      async ({ page, texts, open, tick, connect }) => {
        await open();
        const field = (name: string) => page.locator(`#citizen-id-${name}`);
        await field('citizen_id').fill('10000000146');
        await field('first_name').fill('ada deniz');
        await field('last_name').fill('AK');
        await field('birth_date').fill('1980-02-01');
        await tick();
        await connect();
        await expect(page.getByRole('alert')).toBeVisible();
        await expect(field('first_name')).toHaveValue('ada deniz');
        registry.be('silent');
        await field('last_name').fill('ÇINAR');
        await connect();
        await expect(page.getByText(texts.problems.identity_away[0])).toBeVisible();
        registry.be('no');
        if (await field('last_name').count()) await field('last_name').fill('ÇINAR');
        await tick();
        await connect();
      },
    );
  } finally {
    registry.close();
  }
});
