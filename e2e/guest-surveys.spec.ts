import { readFileSync } from 'node:fs';
import type { Browser } from '@playwright/test';
import { joinNetwork } from './src/guest.ts';
import type { Operator } from './src/operator.ts';
import { enterPanel } from './src/panel.ts';
import type { Product } from './src/product.ts';
import { expect, expectAccessible, test } from './src/test.ts';
import { makeVenue, openRouter, randomMac, type Venue } from './src/venue.ts';

const survey = {
  name: 'Stay',
  questions: [
    {
      label: { tr: 'Memnun kaldınız mı?', en: 'Were you pleased?', ar: 'هل أنت راضٍ؟' },
      answer_type: 'emoji',
      type: 'single',
      answers: ['very-bad', 'bad', 'neutral', 'good', 'very-good'].map(emoji => ({ label: {}, emoji })),
    },
    {
      label: { en: 'What did you like?' },
      answer_type: 'text',
      type: 'multiple',
      answers: [{ label: { en: 'The tea' } }, { label: { en: 'The view' } }],
    },
    { label: { en: 'What else?' }, answer_type: 'text', type: 'single', answers: [] },
  ],
};

async function askBefore(operator: Operator, { portalId }: Venue, state: string): Promise<string> {
  const at = `panel/portal/${portalId}`;
  const { data } = await operator.call<{ data: { id: string } }>('POST', `${at}/surveys`, survey);
  await operator.call('POST', `${at}/rules`, { state, action: 'redirect_to_survey', survey_id: data.id });
  return data.id;
}

for (const script of [true, false]) {
  test(`a survey before and an advertisement after the sign-in (${script ? 'with' : 'without'} script)`, async ({
    browser,
    operator,
    product,
  }) => {
    const venue = await makeVenue(operator);
    const surveyId = await askBefore(operator, venue, 'before_login');
    await operator.call('POST', `panel/portal/${venue.portalId}/ads`, {
      name: 'Film',
      type: 'embed',
      embed_code: '<p>Tea, 2 for 1</p><iframe src="https://tea.example/" title="Tea"></iframe>',
    });
    const router = await openRouter(product, venue.device);
    const guest = await joinNetwork(browser, router, { language: 'en', script });
    const { page } = guest;
    try {
      await guest.open();
      await expect(page.getByRole('group', { name: 'Were you pleased?' })).toBeVisible();
      if (script) await expectAccessible(page);
      await page.getByRole('link', { name: 'العربية' }).click();
      await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
      if (script) await expectAccessible(page);
      await page.getByRole('link', { name: 'English' }).click();
      await page.getByRole('radio', { name: 'Very good' }).check();
      await page.getByLabel('The tea').check();
      await page.getByLabel('What else?').fill('=1+1 More <b>cake</b>');
      await page.getByRole('button', { name: 'Send' }).click();
      await guest.signIn(venue.visitor);
      await guest.expectOnline();
      const frame = page.frameLocator('iframe[title=Film]');
      await expect(frame.getByText('Tea, 2 for 1')).toBeVisible();
      if (script) await expectAccessible(page);

      const at = `panel/portal/${venue.portalId}`;
      const results = await operator.call<{ data: { answered: number } }>('GET', `${at}/surveys/${surveyId}/results`);
      expect(results.data.answered).toBe(1);
      const views = await operator.call<{ data: { views: number }[] }>('GET', `${at}/ads/results`);
      expect(views.data[0]?.views).toBeGreaterThan(0);
      if (script) await lookAtResults(browser, product, operator, `/portals/${venue.portalId}/edit`, surveyId);
    } finally {
      await guest.close();
      await router.close();
    }
  });
}

/** The results in the panel, at both widths, in both languages and both colour schemes. */
async function lookAtResults(
  browser: Browser,
  { panel }: Product,
  { token }: Operator,
  portal: string,
  surveyId: string,
): Promise<void> {
  for (const [width, language, dark, views, exports, head, face] of [
    [
      1440,
      'tr',
      true,
      'Gösterim',
      'Yanıtları indir (CSV)',
      'Zaman,Dil,Misafir,MAC,Memnun kaldınız mı?,What did you like?,What else?',
      'Çok iyi',
    ],
    [
      390,
      'en',
      false,
      'Views',
      'Download answers (CSV)',
      'Time,Language,Guest,MAC,Were you pleased?,What did you like?,What else?',
      'Very good',
    ],
  ] as const) {
    const page = await browser.newPage({ baseURL: panel, viewport: { width, height: 900 } });
    await enterPanel(page, { token, language, dark });
    await page.goto(`${portal}/surveys?results=${surveyId}`);
    const dialog = page.getByRole('dialog');
    // The first load of the panel with an empty cache.
    await expect(dialog.getByText('More <b>cake</b>')).toBeVisible();
    await expectAccessible(page);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: exports }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('Stay.csv');
    const [first, second, ...more] = readFileSync(await file.path(), 'utf8')
      .trimEnd()
      .split('\r\n');
    expect(first).toBe(`\ufeff${head}`);
    // Formulas are escaped.
    expect(second).toMatch(/^[\d-]{10} [\d:]+\+03,en,[^,]*,[\dA-F:]{17},[^,]+,The tea,'=1\+1 More <b>cake<\/b>$/);
    expect(second!.split(',')[4]).toBe(face);
    expect(more).toEqual([]);
    await page.goto(`${portal}/advertisements`);
    await expect(page.getByRole('columnheader', { name: views }).or(page.getByText(views)).first()).toBeAttached();
    await expectAccessible(page);
    const { seen, needed } = await page
      .locator('html')
      .evaluate(html => ({ seen: html.clientWidth, needed: html.scrollWidth }));
    expect(needed, `width of ${page.url()}`).toBeLessThanOrEqual(seen);
    await page.close();
  }
}

test('a survey after the sign-in is asked once', async ({ browser, operator, product }) => {
  const venue = await makeVenue(operator);
  await askBefore(operator, venue, 'login_successful');
  const router = await openRouter(product, venue.device);
  const guest = await joinNetwork(browser, router, { language: 'en' });
  try {
    await guest.open();
    await guest.signIn(venue.visitor);
    await expect(guest.page.getByRole('group', { name: 'Were you pleased?' })).toBeVisible();
    await guest.page.getByRole('button', { name: 'Skip' }).click();
    await guest.expectOnline();
    await expectAccessible(guest.page);
  } finally {
    await guest.close();
    await router.close();
  }
});

test('a returning guest is signed in automatically until it logs out', async ({ browser, operator, product }) => {
  const venue = await makeVenue(operator);
  await operator.call('PUT', `panel/portal/${venue.portalId}`, {
    providers: [{ slug: 'username', order: 1, options: { remember: 'cookie', remember_days: 7 } }],
  });
  const router = await openRouter(product, venue.device);
  const guest = await joinNetwork(browser, router, { language: 'en' });
  try {
    await guest.open();
    await guest.signIn(venue.visitor);
    await guest.expectOnline();
    router.signOut(guest.device);
    await router.settled();
    await guest.open();
    await guest.expectOnline();
    await guest.page.getByRole('button', { name: 'Log out' }).click();
    await expect(guest.page.getByRole('heading', { name: guest.words.loggedOut })).toBeVisible();
    await router.settled();
    await guest.open();
    await expect(guest.page.getByLabel(guest.words.username)).toBeVisible();
  } finally {
    await guest.close();
    await router.close();
  }
});

for (const script of [true, false]) {
  test(`a guest with one device too many disconnects another (${script ? 'with' : 'without'} script)`, async ({
    browser,
    operator,
    product,
  }) => {
    const { visitor, device } = await makeVenue(operator);
    const router = await openRouter(product, device);
    const other = router.lease({ mac: randomMac() });
    const guest = await joinNetwork(browser, router, { language: 'en', script });
    try {
      await router.signIn(other, visitor.username, visitor.password);
      await router.settled();
      await guest.open();
      await guest.signIn(visitor);
      await expect(guest.page.getByRole('heading', { name: 'Too many devices' })).toBeVisible();
      await expect(guest.page.getByText(other.mac.slice(0, 5))).toBeVisible();
      if (script) await expectAccessible(guest.page);
      await guest.page.getByRole('button', { name: 'End it and connect' }).click();
      await guest.expectOnline();
      expect(router.session(other.mac)).toBeUndefined();
    } finally {
      await guest.close();
      await router.close();
    }
  });
}

for (const script of [true, false]) {
  test(`a guest sees and deletes its own data (${script ? 'with' : 'without'} script)`, async ({
    browser,
    operator,
    product,
  }) => {
    const { device, portalId } = await makeVenue(operator);
    await operator.call('PUT', `panel/portal/${portalId}`, { providers: [{ slug: 'temp', order: 1, options: {} }] });
    const router = await openRouter(product, device);
    const guest = await joinNetwork(browser, router, { language: 'en', script });
    const { page } = guest;
    try {
      await guest.open();
      await page.getByRole('button', { name: guest.words.connect }).click();
      await guest.expectOnline();
      await page.getByRole('link', { name: 'My data' }).click();
      await expect(page.getByText('for 730 days')).toBeVisible();
      if (script) {
        await expectAccessible(page);
        await page.getByRole('link', { name: 'العربية' }).click();
        await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
        await expectAccessible(page);
        await page.getByRole('link', { name: 'English' }).click();
      }
      await page.getByText('Delete my data').click();
      await page.getByRole('button', { name: 'Delete for good' }).click();
      await expect(page.getByRole('heading', { name: 'Your data was deleted' })).toBeVisible();
      await expect.poll(() => router.session(guest.device.mac)).toBeUndefined();
    } finally {
      await guest.close();
      await router.close();
    }
  });
}
