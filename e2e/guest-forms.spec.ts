import { joinNetwork } from './src/guest.ts';
import { expect, expectAccessible, test } from './src/test.ts';
import { makeVenue, openRouter } from './src/venue.ts';

for (const script of [true, false]) {
  test(`a guest goes back and forth without losing anything, ${script ? 'with' : 'without'} script`, async ({
    browser,
    operator,
    product,
  }) => {
    const { visitor, device, portalId } = await makeVenue(operator);
    await operator.call('PUT', `panel/portal/${portalId}`, {
      providers: ['temp', 'username', 'sms'].map((slug, order) => ({ slug, order })),
      agreements: { general: { tr: '<p>Nazik olun.</p>' }, kvkk: { tr: '<p>Aydınlatma</p>' } },
    });
    const router = await openRouter(product, device);
    const guest = await joinNetwork(browser, router, { script });
    const { page, words } = guest;
    const name = page.getByLabel(words.username);
    const open = page.locator('details[open] summary');
    const connect = page.locator('details[open]').getByRole('button', { name: words.connect });
    try {
      await guest.open();
      await page.getByText('Kullanıcı adıyla giriş').click();
      await name.fill('ayşe.gül');
      await page.locator('details[open]').getByRole('button', { name: 'KVKK aydınlatma metni' }).click();
      await expect(page.getByText('Aydınlatma', { exact: true })).toBeVisible();
      await page.getByRole('link', { name: 'Geri' }).click();
      await expect(open).toHaveText('Kullanıcı adıyla giriş');
      await expect(name).toHaveValue('ayşe.gül');
      await page.getByRole('button', { name: 'English' }).click();
      await expect(page.locator('html')).toHaveAttribute('lang', 'en');
      await expect(name.or(page.getByLabel('Username'))).toHaveValue('ayşe.gül');
      await page.getByRole('button', { name: 'Türkçe' }).click();
      await page.getByLabel(words.password, { exact: true }).fill('yanlış');
      for (const box of await page.getByRole('checkbox').all()) await box.check();
      await connect.click();
      await expect(page.getByRole('alert')).toContainText(words.wrong);
      if (script) await expectAccessible(page);
      await page.reload();
      await expect(page.getByRole('alert')).toContainText(words.wrong);
      await page.goBack();
      await expect(name).toHaveValue('ayşe.gül');
      await page.goForward();
      await expect(page.getByRole('alert')).toContainText(words.wrong);
      await expect(open).toHaveText('Kullanıcı adıyla giriş');
      await name.fill(visitor.username);
      // The Enter key presses the form's own button.
      await page.getByLabel(words.password, { exact: true }).fill(visitor.password);
      await page.getByLabel(words.password, { exact: true }).press('Enter');
      await guest.expectOnline();
    } finally {
      await guest.close();
      await router.close();
    }
  });
}
