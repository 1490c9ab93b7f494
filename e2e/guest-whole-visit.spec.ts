import { readFile } from 'node:fs/promises';
import { joinNetwork } from './src/guest.ts';
import { mailed } from './src/mail.ts';
import type { Operator } from './src/operator.ts';
import { expect, test } from './src/test.ts';
import { makeVenue, openTimeMachine, randomMac, type Venue } from './src/venue.ts';
import { card } from './src/visits.ts';

/** One guest from the arrival to the deletion of its data, with everything in force that follows a sign-in. */

const texts = {
  tr: {
    choose: 'Paket seçin',
    pick: 'Seç',
    email: 'E-posta',
    buy: 'Satın al',
    question: 'Memnun kaldınız mı?',
    good: 'İyi',
    send: 'Gönder',
    goOn: 'news.example.com sitesine devam et',
    left: 'Kalan veri',
    over: 'Erişiminiz sona erdi',
    why: 'süre veya veri bitti',
    form: 'Giriş sayfasına dön',
    restore: 'Satın aldığımı geri yükle',
    receipt: 'Makbuzdaki kod',
    voucher: 'Kupon kodu',
    unknown: 'Bağlantı bilgileriniz burada gösterilemiyor',
    data: 'Verilerim',
    download: 'Verilerimi indir',
    erase: 'Verilerimi sil',
    eraseNow: 'Kalıcı olarak sil',
    gone: 'Bilgileriniz silindi',
  },
  en: {
    choose: 'Choose a package',
    pick: 'Choose',
    email: 'E-mail',
    buy: 'Buy',
    question: 'Were you pleased?',
    good: 'Good',
    send: 'Send',
    goOn: 'Continue to news.example.com',
    left: 'Data left',
    over: 'Your access has ended',
    why: 'time or data you were given is used up',
    form: 'To the sign-in page',
    restore: 'Restore my purchase',
    receipt: 'Code on the receipt',
    voucher: 'Voucher code',
    unknown: 'Your visit is not shown here',
    data: 'My data',
    download: 'Download my data',
    erase: 'Delete my data',
    eraseNow: 'Delete for good',
    gone: 'Your details were deleted',
  },
} as const;

/** A day with 120 MB for sale, vouchers, terms, a survey after the sign-in, and an advertisement that a device sees once a day. */
async function furnish(operator: Operator, { locationId, portalId }: Venue): Promise<void> {
  const make = async (path: string, body: object) =>
    (await operator.call<{ data: { id: string } }>('POST', `panel/${path}`, { location_id: locationId, ...body })).data
      .id;
  const profile_id = await make('location/user-profile', {
    name: 'Paket',
    paid_sale: { is_active: true, option: 'eur', value: 5 },
    total_quota: { is_active: true, option: 'mb', value: 120 },
  });
  const params = { connection: { type: 'test-payment' } };
  await make('integration', { name: 'Deneme', integration_id: 'test-payment', params });
  await make('package', { profile_id, name: { tr: 'Günlük', en: 'Day pass' }, price: 499, currency: 'eur' });
  await operator.call('PUT', `panel/portal/${portalId}`, {
    providers: [{ slug: 'voucher', order: 1, options: {} }],
    agreements: { general: { tr: '<p>Nazik olun</p>', en: '<p>Be kind</p>' } },
  });
  const answers = ['bad', 'good'].map(emoji => ({ label: {}, emoji }));
  const label = { tr: texts.tr.question, en: texts.en.question };
  const questions = [{ label, answer_type: 'emoji', type: 'single', answers }];
  const survey_id = await make(`portal/${portalId}/surveys`, { name: 'Memnuniyet', questions });
  await make(`portal/${portalId}/rules`, { state: 'login_successful', action: 'redirect_to_survey', survey_id });
  const embed_code = '<p>Tea, 2 for 1</p><iframe src="https://tea.example/" title="Tea"></iframe>';
  await make(`portal/${portalId}/ads`, { name: 'Çay', type: 'embed', embed_code, daily_cap: 1 });
}

for (const [language, script, width] of [
  ['tr', true, 390],
  ['en', false, 360],
] as const)
  test(`a guest buys, uses up the data, goes on with a voucher and deletes its data (${language}, ${script ? 'with' : 'without'} script)`, async ({
    browser,
    operator,
    product,
  }) => {
    const say = texts[language];
    const venue = await makeVenue(operator);
    await furnish(operator, venue);
    const other = await makeVenue(operator);
    const { code } = await card(operator, venue);
    const router = await openTimeMachine(product, venue.device);
    const phone = { viewport: { width, height: 844 } };
    const guest = await joinNetwork(browser, router, { language, script, phone });
    const { page, device } = guest;
    const main = page.locator('main');
    const heading = (name: string) => page.getByRole('heading', { name });
    const press = (name: string) => main.getByRole('button', { name, exact: true }).click();
    const follow = (name: string) => main.getByRole('link', { name, exact: true }).click();
    const ad = page.locator('iframe[title="Çay"]');
    const dataLeft = main.locator('dl > div').filter({ hasText: say.left }).locator('dd');
    const expectUsedUp = async () => {
      await expect(heading(say.over)).toBeVisible();
      await expect(main).toContainText(say.why);
    };
    try {
      // Buys.
      await guest.open();
      await follow(say.choose);
      await press(say.pick);
      const email = `guest-${randomMac().replaceAll(':', '').toLowerCase()}@example.com`;
      await main.getByLabel(say.email).fill(email);
      await main.getByRole('checkbox').check();
      await press(say.buy);
      await follow(say.buy);
      await page.getByRole('button', { name: /^Pay/ }).click();

      // Is asked once, and sees the advertisement once.
      await expect(page.getByRole('group', { name: say.question })).toBeVisible();
      await page.getByRole('radio', { name: say.good }).check();
      await press(say.send);
      await guest.expectOnline();
      await expect(ad).toBeVisible();
      await expect(dataLeft).toHaveText('120 MB');

      // Uses some of the data, then the rest.
      const session = router.session(device.mac)!;
      router.use(device, { uploadBytes: 1e6, downloadBytes: 19e6 });
      router.jump(61);
      await expect.poll(() => session.lastUpdateAt > session.startedAt).toBe(true);
      await router.settled();
      await page.reload();
      await expect(dataLeft).toHaveText('100 MB');
      await expect(ad).toHaveCount(0);
      router.use(device, { uploadBytes: 1e6, downloadBytes: 99e6 });
      expect(router.session(device.mac)).toBeUndefined();
      await router.settled();
      await page.reload();
      await expectUsedUp();

      // The code of the receipt is good for no more.
      await follow(say.form);
      await follow(say.restore);
      const receipt = await mailed(product, email, /\b([A-Z2-9]{5}-[A-Z2-9]{5})\b/);
      await main.getByLabel(say.receipt).fill(receipt);
      await press(guest.words.connect);
      await expectUsedUp();

      // Signs in with a voucher, and can still go on to the page that it wanted to see.
      await follow(say.form);
      await main.getByLabel(say.voucher).fill(code);
      await main.getByRole('checkbox').check();
      await press(guest.words.connect);
      await guest.expectOnline();
      await expect(main.getByRole('link', { name: say.goOn })).toBeVisible();
      await expect(ad).toHaveCount(0);

      // Another venue knows nothing of this browser.
      await page.goto(`${product.captive}/w/${other.device.nas_identifier}/online?lang=${language}`);
      await expect(heading(say.unknown)).toBeVisible();
      await page.goto(`${router.hotspotUrl}/status`);
      await guest.expectOnline();

      // Looks at its data, takes it along, deletes it and is signed out.
      await follow(say.data);
      const downloading = page.waitForEvent('download');
      await follow(say.download);
      const file = JSON.parse(await readFile(await (await downloading).path(), 'utf8'));
      expect(file).toMatchObject({ place: venue.name, accepted_terms: [{ language }] });
      expect(file.latest_sessions).toHaveLength(1);
      await main.getByText(say.erase, { exact: true }).click();
      await press(say.eraseNow);
      await expect(heading(say.gone)).toBeVisible();
      await expect.poll(() => router.session(device.mac)).toBeUndefined();

      const at = `panel/portal/${venue.portalId}`;
      const { data: ads } = await operator.call<{ data: { views: number }[] }>('GET', `${at}/ads/results`);
      expect(ads).toMatchObject([{ views: 1 }]);
    } finally {
      await guest.close();
      await router.close();
    }
  });
