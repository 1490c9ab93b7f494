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
