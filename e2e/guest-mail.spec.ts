import { randomBytes } from 'node:crypto';
import { joinNetwork } from './src/guest.ts';
import { mailed } from './src/mail.ts';
import { expect, expectAccessible, test } from './src/test.ts';
import { makeVenue, openRouter } from './src/venue.ts';

for (const script of [true, false]) {
  test(`a guest confirms an e-mail address, ${script ? 'with' : 'without'} script`, async ({
    browser,
    operator,
    product,
  }) => {
    const { device, name, portalId } = await makeVenue(operator);
    const providers = [{ slug: 'email', order: 1, options: { confirm_email: true } }];
    await operator.call('PUT', `panel/portal/${portalId}`, { providers });
    const router = await openRouter(product, device);
    const guest = await joinNetwork(browser, router, { script });
    const { page, words } = guest;
    const typo = `${randomBytes(4).toString('hex')}@exmaple.com`;
    const right = typo.replace('exmaple', 'example');
    try {
      await guest.open();
      await page.getByLabel('E-posta').fill(typo);
      await page.getByRole('button', { name: words.connect }).click();
      await guest.expectOnline();
      await expect(page.getByText(`${typo[0]}•••@exmaple.com`)).toBeVisible();
      if (script) await expectAccessible(page);
      await page.getByText('Başka adres kullan').click();
      await page.getByLabel('E-posta').fill(right);
      await page.getByRole('button', { name: 'E‑postayı gönder', exact: true }).click();
      await expect(page.getByText(`${typo[0]}•••@example.com`)).toBeVisible();
      await expect(page.getByRole('status').filter({ hasText: 'yolda' })).toBeVisible();
      if (script) await expectAccessible(page);
      const link = await mailed(product, right, /(http\S*confirm-email\?t=[\w-]+&lang=tr)/);
      expect(link).toMatch(new RegExp(`^${product.captive}/w/${device.nas_identifier}/confirm-email`));
      await page.goto(link);
      await expect(page.getByText(name).first()).toBeVisible();
      if (script) await expectAccessible(page);
      await page.getByRole('button', { name: 'Evet, doğrula' }).click();
      await expect(page.getByRole('heading', { name: 'Adresiniz doğrulandı' })).toBeVisible();
      if (script) await expectAccessible(page);
      await page.goto(`${product.captive}/w/${device.nas_identifier}/online`);
      await expect(page.getByRole('heading', { name: words.online })).toBeVisible();
      await expect(page.getByText('•••@')).toBeHidden();
    } finally {
      await guest.close();
      await router.close();
    }
  });
}
