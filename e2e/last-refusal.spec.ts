import { enterPanel } from './src/panel.ts';
import { expect, expectAccessible, test } from './src/test.ts';
import { makeVenue, openRouter, randomMac } from './src/venue.ts';

test('a visitor’s page says why the last sign-in failed, and mends it @phone', async ({ page, operator, product }, {
  project,
}) => {
  const isPhone = project.name === 'phone';
  await enterPanel(page, { token: operator.token, language: isPhone ? 'tr' : 'en' });
  const texts = isPhone
    ? {
        failed: 'Son giriş başarısız oldu: ',
        password: 'Parola hatalı',
        paused: 'Duraklatılmış',
        expired: 'Süresi doldu',
        usedUp: 'Süre veya veri bitti',
        edit: 'Düzenle',
        resume: 'Devam ettir',
        extend: 'Uzat',
      }
    : {
        failed: 'The last sign-in failed: ',
        password: 'Wrong password',
        paused: 'Paused',
        expired: 'Expired',
        usedUp: 'Time or data used up',
        edit: 'Edit',
        resume: 'Resume',
        extend: 'Extend',
      };
  const { device, profileId, visitor } = await makeVenue(operator);
  const router = await openRouter(product, device);
  const found = await operator.call<{ data: { id: string }[] }>('GET', `panel/client?search=${visitor.username}`);
  const at = `/visitors/${found.data[0]!.id}`;
  const change = (what: object) => operator.call('PUT', `panel/client/${found.data[0]!.id}`, what);
  const notice = (why: string) => page.getByRole('region', { name: `${texts.failed}${why}`, exact: true });
  const any = page.getByText(texts.failed);
  const signIn = (password: string) => router.signIn(router.lease({ mac: randomMac() }), visitor.username, password);
  try {
    await signIn('a wrong one');
    await page.goto(at);
    await expect(notice(texts.password)).toBeVisible();
    await expectAccessible(page);
    await notice(texts.password).getByRole('button', { name: texts.edit }).click();
    await expect(page.getByRole('dialog')).toBeVisible();

    await operator.call('POST', `panel/client/${found.data[0]!.id}/pause`, {});
    await signIn(visitor.password);
    await page.goto(at);
    await notice(texts.paused).getByRole('button', { name: texts.resume }).click();
    await expect(any).toBeHidden();

    await change({ session_end_at: new Date(Date.now() - 60_000).toISOString() });
    await signIn(visitor.password);
    await page.goto(at);
    await notice(texts.expired).getByRole('button', { name: texts.extend }).click();
    await expect(page.getByRole('dialog')).toBeVisible();

    const limit = (value: number) =>
      operator.call('PUT', `panel/location/user-profile/${profileId}`, {
        total_quota: { is_active: true, option: 'mb', value },
      });
    await change({ session_end_at: null });
    await limit(1);
    const phone = router.lease({ mac: randomMac() });
    await router.signIn(phone, visitor.username, visitor.password);
    router.use(phone, { uploadBytes: 0, downloadBytes: 2e6 });
    await router.settled();
    await signIn(visitor.password);
    await page.goto(at);
    await notice(texts.usedUp).getByRole('button', { name: texts.edit }).click();
    await expect(page.getByRole('dialog')).toBeVisible();

    await limit(100);
    await signIn(visitor.password);
    await router.settled();
    await page.goto(at);
    await expect(page.getByRole('row').nth(1)).toBeVisible();
    await expect(any).toBeHidden();
  } finally {
    await router.close();
  }
});

test('a name that no visitor has is found with its failed sign-ins; a suspended location is named everywhere @phone', async ({
  page,
  operator,
  product,
}, { project }) => {
  const isPhone = project.name === 'phone';
  const texts = isPhone
    ? {
        search: 'Ara',
        hit: 'Bu adla başarısız girişler',
        failed: 'Başarısız girişler',
        unknown: 'Kullanıcı adı bilinmiyor',
        suspended: 'Lokasyon askıda',
        notice: 'askıya alındı',
        open: 'Müşteriyi aç',
      }
    : {
        search: 'Search',
        hit: 'Failed sign-ins with this name',
        failed: 'Failed sign-ins',
        unknown: 'Unknown username',
        suspended: 'Location suspended',
        notice: 'is suspended',
        open: 'Open the customer',
      };
  const venue = await makeVenue(operator);
  const router = await openRouter(product, venue.device);
  try {
    await router.signIn(router.lease({ mac: randomMac() }), 'Ayse.Yanlış', 'x');
    // Other failed sign-ins, which the answer leaves out.
    const mac = randomMac();
    await router.signIn(router.lease({ mac }), 'someone.else', 'x');
    await makeVenue(operator);
    await enterPanel(page, { token: operator.token, language: isPhone ? 'tr' : 'en' });
    await page.goto('/visitors');
    const dialog = page.getByRole('dialog', { name: texts.search });
    const find = async (text: string) => {
      await page.getByRole('button', { name: new RegExp(`^${texts.search}( |$)`) }).click();
      await dialog.getByRole('combobox').fill(text);
    };
    await find('ayse.yanlis');
    await dialog.getByRole('option', { name: texts.hit }).filter({ hasText: venue.name }).click();
    const answer = page.getByRole('dialog', { name: texts.failed });
    await expect(answer.getByText(texts.unknown)).toBeVisible();
    await expect(answer.getByText('someone.else')).toBeHidden();
    await expectAccessible(page);

    // A guest device that was never online.
    await page.goto('/visitors');
    await find(mac);
    await dialog.getByRole('option', { name: mac }).click();
    await expect(answer.getByText('someone.else')).toBeVisible();
    await expect(answer.getByText('Ayse.Yanlış')).toBeHidden();

    await operator.call('POST', `panel/location/${venue.locationId}/suspend`);
    await page.goto('/visitors');
    await expect(page.getByRole('row').filter({ hasText: 'Ayşe Gül Işık' })).toContainText(texts.suspended);
    await find(venue.visitor.username);
    const found = dialog.getByRole('option', { name: /Ayşe Gül Işık/ });
    await expect(found.first()).toContainText(texts.suspended);
    await found.first().click();
    const notice = page.getByRole('region', { name: texts.notice });
    await expect(notice).toBeVisible();
    await expectAccessible(page);
    await notice.getByRole('link', { name: texts.open }).click();
    await expect(page).toHaveURL(new RegExp(`/admin\\?customer=${venue.locationId}`));
  } finally {
    await router.close();
  }
});
