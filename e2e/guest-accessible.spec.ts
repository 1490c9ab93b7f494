import type { Locator, Page } from '@playwright/test';
import { joinNetwork, somePage } from './src/guest.ts';
import { submit } from './src/phones.ts';
import { expect, expectAccessible, test } from './src/test.ts';
import { makeVenue, openRouter, randomMac } from './src/venue.ts';

/** One of each direction: `guest-themes.spec.ts` checks what is rendered in every language and theme, without a server. */
const languages = ['tr', 'ar'] as const;
type GuestLanguage = (typeof languages)[number];

/** Colours that would be unreadable without correction. */
const hostile = {
  primary_color: '#ffff00',
  form_background_color: '#fffde0',
  welcome_message_text_color: '#ffffff',
  border_color: '#fffff0',
  alert_color: '#ffee00',
  info_color: '#fefefe',
  background_color: '#ffffff',
};
const methods = ['citizen-id', 'room-number', 'sms', 'username', 'temp', 'email', 'voucher'];

/** Checks the language, direction, width and accessibility of a page. */
async function look(page: Page, language: GuestLanguage): Promise<void> {
  const html = page.locator('html');
  await expect(html).toHaveAttribute('lang', language);
  await expect(html).toHaveAttribute('dir', language === 'ar' ? 'rtl' : 'ltr');
  const { width, needed } = await html.evaluate(it => ({ width: it.clientWidth, needed: it.scrollWidth }));
  expect(needed, `width of ${page.url()}`).toBeLessThanOrEqual(width);
  await expectAccessible(page);
}

test('sign-in, code and refusals are accessible in every theme and direction', async ({ page, operator, product }) => {
  const { device, portalId } = await makeVenue(operator);
  const dress = (styles: object) =>
    operator.call('PUT', `panel/portal/${portalId}`, {
      styles,
      providers: methods.map((slug, order) => ({ slug, order, options: {} })),
    });
  await page.setViewportSize({ width: 390, height: 844 });
  const login = encodeURIComponent('http://10.5.50.1/login');
  const at = (language: GuestLanguage, more = '') =>
    `${product.captive}/w/${device.nas_identifier}?mac=${randomMac()}&ip=10.5.50.9&login=${login}&lang=${language}${more}`;
  const openAll = () =>
    page.locator('details').evaluateAll(all => {
      for (const it of all) {
        it.removeAttribute('name');
        it.setAttribute('open', '');
      }
    });

  for (const styles of [{}, { color_scheme: 'dark' }, hostile]) {
    await dress(styles);
    for (const language of languages) {
      await page.goto(at(language));
      await openAll();
      await look(page, language);
      await page.goto(at(language, '&step=over_quota'));
      await look(page, language);
    }
  }
  await page.goto(at('tr', '&step=blocked'));
  await look(page, 'tr');

  await page.goto(at('tr'));
  await openAll();
  const sms = page.locator('form').filter({ has: page.locator('input[name=method][value=sms]') });
  await sms.locator('input[name=phone]').fill('+905321234567');
  await sms.locator('button').click();
  const code = page.locator('form').filter({ has: page.locator('input[name=code]') });
  await expect(code).toBeVisible();
  await look(page, 'tr');
  const type = async (language: GuestLanguage) => {
    await code.locator('input[name=lang]').evaluate((input, lang) => input.setAttribute('value', lang), language);
    await code.locator('input[name=code]').fill('000001x');
    // The page after another wrong code looks the same.
    await submit(page, () => code.locator('button').click());
  };
  const titles = { tr: 'Kod hatalı', ar: 'الرمز غير صحيح' };
  for (const language of languages) {
    await type(language);
    await expect(page.getByRole('heading', { name: titles[language] })).toBeVisible();
    await look(page, language);
  }
  // The three that are left of five attempts.
  for (let attempt = 0; attempt < 3; attempt++) {
    await type('ar');
    await expect(page.getByRole('heading', { name: titles.ar })).toBeVisible();
  }
  await type('ar');
  await expect(page.getByRole('heading', { name: 'لم يعد هذا الرمز صالحًا' })).toBeVisible();
  await expect(code).toHaveCount(0);
  await look(page, 'ar');
});

test('survey, advertisement, remaining time, own data and its deletion are accessible in both directions', async ({
  browser,
  operator,
  product,
}) => {
  const { device, portalId } = await makeVenue(operator);
  const portal = `panel/portal/${portalId}`;
  await operator.call('PUT', portal, {
    styles: hostile,
    providers: [{ slug: 'temp', order: 1, options: {} }],
    agreements: { general: { tr: '<h2>Koşullar</h2><p>Nazik olun.</p>' } },
  });
  const { data: survey } = await operator.call<{ data: { id: string } }>('POST', `${portal}/surveys`, {
    name: 'Stay',
    questions: [
      {
        label: { tr: 'Memnun kaldınız mı?', ar: 'هل أنت راضٍ؟' },
        answer_type: 'emoji',
        type: 'single',
        answers: ['very-bad', 'bad', 'neutral', 'good', 'very-good'].map(emoji => ({ label: {}, emoji })),
      },
      { label: { tr: 'Başka?' }, answer_type: 'text', type: 'single', answers: [] },
    ],
  });
  const rule = { state: 'before_login', action: 'redirect_to_survey', survey_id: survey.id };
  await operator.call('POST', `${portal}/rules`, rule);
  await operator.call('POST', `${portal}/ads`, {
    name: 'Çay',
    type: 'embed',
    embed_code: '<p>Çay, 2 al 1 öde</p><iframe src="https://tea.example/" title="Çay"></iframe>',
  });
  const router = await openRouter(product, device);
  const guest = await joinNetwork(browser, router);
  const { page } = guest;
  // A Turkish text that identifies the page, because the previous page may be Turkish too.
  const inEach = async (known: Locator) => {
    await expect(known).toBeVisible();
    for (const language of languages) {
      const link = page.locator(`footer nav [lang=${language}]`);
      if ((await page.locator('html').getAttribute('lang')) !== language) await link.click();
      await look(page, language);
    }
    await page.locator('footer nav a[lang=tr]').click();
    await expect(page.locator('html')).toHaveAttribute('lang', 'tr');
  };
  try {
    await guest.open();
    await inEach(page.getByRole('group', { name: 'Memnun kaldınız mı?' }));
    await page.getByRole('button', { name: 'Geç' }).click();
    await page.getByRole('button', { name: 'Kullanım koşulları' }).click();
    await inEach(page.getByRole('heading', { name: 'Koşullar', exact: true }));
    await page.goto(somePage);
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: guest.words.connect }).click();
    await guest.expectOnline();
    await inEach(page.locator('aside.ad'));
    await page.getByRole('link', { name: 'Verilerim' }).click();
    await inEach(page.locator('summary'));
    await page.locator('summary').click();
    await look(page, 'tr');
    await page.locator('details button').click();
    await expect(page.getByRole('heading', { name: 'Verileriniz silindi' })).toBeVisible();
    const farewell = page.url().replace(/lang=\w+/, 'lang=');
    for (const language of languages) {
      await page.goto(farewell + language);
      await look(page, language);
    }
  } finally {
    await guest.close();
    await router.close();
  }
});
