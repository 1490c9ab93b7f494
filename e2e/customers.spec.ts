import { randomBytes } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expectFits } from './src/fits.ts';
import { openHost } from './src/hosts.ts';
import { callApi, type Operator, tokenOf } from './src/operator.ts';
import type { Product } from './src/product.ts';
import { expect, expectAccessible, test } from './src/test.ts';
import { brandOf, randomMac, yearIn } from './src/venue.ts';

interface Reseller {
  readonly email: string;
  readonly password: string;
  readonly token: string;
}

async function makeReseller(product: Product, operator: Operator): Promise<Reseller> {
  const who = { email: `bayi-${randomBytes(5).toString('hex')}@example.com`, password: 'bir bayi parolası' };
  const name = { first_name: 'Ece', last_name: 'Kaya' };
  await operator.call('POST', 'panel/tenant/users', { ...who, ...name, role: 'reseller' });
  return { ...who, token: await tokenOf(product, who) };
}

/** Signs in at a host, in Turkish. */
async function enter(page: Page, host: string, { email, password }: Reseller): Promise<void> {
  // Not in the preview's frame, which has no storage here.
  await page.addInitScript(() => window === window.top && localStorage.setItem('portico.language', 'tr'));
  await page.goto(`${host}/auth/login`);
  await page.locator('input[name=email]').fill(email);
  await page.locator('input[name=password]').fill(password);
  await page.locator('button[type=submit]').click();
  await page.waitForURL(`${host}/admin`);
}

for (const variant of ['standard', 'reseller'] as const) {
  test(`a reseller creates a customer and designs its portal on a ${variant} host`, async ({
    page,
    operator,
    product,
  }) => {
    const reseller = await makeReseller(product, operator);
    const host = await openHost(product, operator, variant);
    await enter(page, host, reseller);
    await expect(
      page.getByText('Lütfen bir müşteri seçin').or(page.getByText('Müşteri bulunamadı')).first(),
    ).toBeVisible();

    await page.getByRole('button', { name: 'Yeni Müşteri' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Ad', { exact: false }).first().fill('Otel İnci');
    await dialog.getByLabel('İl', { exact: true }).fill('izm');
    await page.getByRole('option', { name: 'İzmir' }).click();
    await dialog.getByLabel('İlçe').fill('kon');
    await page.getByRole('option', { name: 'Konak' }).click();
    await expect(dialog.getByLabel('SMS paketi')).toHaveCount(0);
    await dialog.getByPlaceholder('Giriş yöntemlerini seçin').click();
    await page.getByRole('option', { name: 'SMS' }).click();
    await page.keyboard.press('Escape');
    await expect(dialog.getByRole('combobox', { name: 'SMS paketi' })).toHaveValue('1.000 SMS');
    await dialog.getByRole('button', { name: 'Kaydet' }).click();

    // The new customer becomes the active one.
    const panel = page.getByRole('region', { name: 'Otel İnci' });
    await expect(panel.getByText('Konak / İzmir, Türkiye')).toBeVisible();
    await expect(page.getByRole('button', { name: /^Lokasyon: Otel İnci/ })).toBeVisible();
    const notice = panel.getByRole('region', { name: 'KURULUM TAMAMLANMADI' });
    await expect(notice.getByRole('link', { name: 'KURULUMA DEVAM ET' })).toHaveAttribute('href', '/onboarding/device');
    const tab = (name: string) => panel.getByRole('navigation').getByRole('button', { name, exact: true });
    await expect(tab('Portal ayarları')).toHaveCount(0);

    const call = <Answer>(method: string, path: string, body?: object) =>
      callApi<Answer>(product, { method, path, token: reseller.token, ...(body && { body }) });
    type Listed = { data: { id: string }[] };
    const [customer] = (await call<Listed>('GET', 'panel/location')).data;
    await call('POST', 'panel/portal', { name: 'İnci Wi-Fi', location_id: customer?.id });
    await page.reload();
    await expect(notice).toHaveCount(0);
    await tab('Portal ayarları').click();
    await expect(page.locator('iframe[data-ready]')).toBeAttached();
    const save = panel.getByRole('button', { name: 'Kaydet' });
    await expect(save).toBeDisabled();
    await panel.getByLabel('Ad', { exact: false }).first().fill('İnci Misafir');
    await expect(panel.getByRole('button', { name: 'Değişiklikleri geri al' })).toBeVisible();
    await expectFits(page);
    // The next tab is chosen before the saved version arrives: the question goes by itself, because nothing is unsaved.
    let arrive = () => {};
    const arrived = new Promise<void>(resolve => {
      arrive = resolve;
    });
    const saved = /\/panel\/portal\/[\w-]+$/;
    await page.route(saved, async route => {
      if (route.request().method() === 'GET') await arrived;
      await route.continue();
    });
    await save.click();
    await expect(page.getByText('Portal güncellendi!')).toBeVisible();
    await tab('Giriş yöntemleri').click();
    await expect(dialog).toBeVisible();
    arrive();
    await expect(dialog).toHaveCount(0);
    await page.unroute(saved);
    await expect(panel.getByRole('switch', { name: 'Ücretsiz kullanım' })).toBeVisible();
    await expect(save).toBeVisible();
    await tab('Cihazlar').click();
    await expect(save).toHaveCount(0);

    const card = page.getByRole('button', { name: /^Otel İnci Konak/, includeHidden: true });
    await expect(card).toContainText('Demonun bitmesine 15 gün kaldı');
    if (variant === 'standard') {
      await tab('Lisans ayarları').click();
      const next = new RegExp(`\\b${yearIn(1)}\\b`);
      await expect(panel.getByLabel('Lisans bitiş tarihi')).toHaveValue(next);
      await panel.getByRole('button', { name: 'Lisansı uygula' }).click();
      await expect(page.getByText('Müşteri lisanslandı')).toBeVisible();
      await expect(card).toContainText(/\d{4} tarihine kadar lisanslı/);
      // A second click would add another year.
      await expect(panel.getByRole('button', { name: 'Lisansı uygula' })).toBeDisabled();
      await expect(panel.getByLabel('Lisans bitiş tarihi')).toHaveValue(next);
    } else {
      await expect(tab('Lisans ayarları')).toHaveCount(0);
      await page.goto(`${host}/admin?customer=${customer?.id}&tab=settings-license`);
      await expect(tab('Cihazlar')).toHaveAttribute('aria-current', 'page');
      await call('POST', `panel/location/${customer?.id}/license`, { year: 1 });
      const router = { location_id: customer?.id, name: 'Lobi', mac_address: randomMac() };
      const { data: device } = await call<{ data: { id: string } }>('POST', 'panel/device', {
        ...router,
        brand_id: await brandOf(operator, 'mikrotik'),
      });
      await page.goto(`${host}/devices/${device.id}/networks`);
      await expect(page.getByRole('link', { name: 'Ağlar', exact: true })).toBeVisible();
      await expect(page.getByRole('link', { name: 'Lisans', exact: true })).toHaveCount(0);
      await page.goto(`${host}/onboarding/subscribe`);
      await expect(page.getByText('Lisanslı', { exact: true })).toBeVisible();
      await expect(page.getByRole('main')).not.toContainText(/20\d\d/);
      await page.goto(`${host}/admin?customer=${customer?.id}`);
      await expect(card).toContainText('Lisanslı');
      await expect(card).not.toContainText(/20\d\d/);
    }

    // Filtering the list clears the selection.
    const name = page.getByPlaceholder('Müşteri adıyla ara');
    if (!(await name.isVisible())) await panel.getByRole('button', { name: 'Müşterilerim' }).click();
    await page.getByText('Aktif', { exact: true }).click();
    await expect(page).not.toHaveURL(/customer=/);
    await card.click();
    await expect(page).toHaveURL(/customer=/);
    if (await name.isVisible()) await page.getByRole('button', { name: 'Listeyi yenile' }).click();
    else await panel.getByRole('button', { name: 'Müşterilerim' }).click();
    await expect(page).not.toHaveURL(/customer=/);
    await name.fill('yok böyle biri');
    await expect(page.getByText('Müşteri bulunamadı, yeni müşteri ekleyin.')).toBeVisible();
  });

  test(`the overview of a ${variant} host: bulk licences, suspension and hand-over${variant === 'standard' ? ' @phone' : ''}`, async ({
    page,
    operator,
    product,
    isMobile,
  }) => {
    const [reseller, other] = [await makeReseller(product, operator), await makeReseller(product, operator)];
    const host = await openHost(product, operator, variant);
    for (const name of ['Bir', 'İki', 'Üç'])
      await callApi(product, { method: 'POST', path: 'panel/location', token: reseller.token, body: { name } });
    await enter(page, host, reseller);
    await page.getByRole('link', { name: 'Genel durum' }).click();
    const table = page.getByRole('table');
    await expect(table.getByRole('row')).toHaveCount(4);
    const extend = page.getByRole('button', { name: /lisan.* uzat/i });
    if (variant === 'standard') {
      await table.getByRole('checkbox', { name: 'Bir seç' }).check();
      // A phone has no box for the whole page.
      const every = page.getByRole('button', { name: 'Tümünü seç (3)' });
      if (isMobile) await every.click();
      await expect(every).toHaveCount(0);
      await table.getByRole('checkbox', { name: 'İki seç' }).setChecked(false);
      await table.getByRole('checkbox', { name: 'Üç seç' }).check();
      await extend.click();
      await expect(page.getByRole('dialog')).toContainText('2 müşterinin lisansını uzat');
      await expectAccessible(page, { part: '[role=dialog]' });
      await page.getByRole('dialog').getByText('2 yıl', { exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Uzat' }).click();
      await expect(page.getByText('2 müşteri lisanslandı')).toBeVisible();
      await expect(table.getByText(/tarihine kadar lisanslı/)).toHaveCount(2);
      await page.getByRole('button', { name: 'Lisansı veya demosu 30 gün içinde bitecek' }).click();
      await expect(table.getByRole('row')).toHaveCount(2);
    } else {
      await expect(extend).toHaveCount(0);
      await expect(table.getByRole('checkbox')).toHaveCount(0);
      await expect(page.getByText(/30 gün içinde/)).toHaveCount(0);
    }
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV indir' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('customers.csv');

    await table.getByRole('link', { name: 'İki' }).click();
    const panel = page.getByRole('region', { name: 'İki' });
    await panel.getByRole('button', { name: 'Askıya al' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Askıya al' }).click();
    await expect(panel.getByRole('region', { name: 'Bu müşterinin hizmeti askıda' })).toBeVisible();
    await expectAccessible(page);
    await panel.getByRole('button', { name: 'Yeniden hizmete aç' }).click();
    await expect(panel.getByRole('button', { name: 'Askıya al' })).toBeVisible();

    await panel.getByRole('button', { name: 'Devret' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Devralanın e-postası').fill('kimse@example.com');
    await dialog.getByRole('button', { name: 'Devret' }).click();
    await expect(dialog.getByText('Bu adrese sahip bir bayi veya yönetici yok.')).toBeVisible();
    await dialog.getByLabel('Devralanın e-postası').fill(other.email);
    await dialog.getByRole('button', { name: 'Devret' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(page).not.toHaveURL(/customer=/);
    const theirs = await callApi<{ data: { name: string }[] }>(product, {
      method: 'GET',
      path: 'panel/location',
      token: other.token,
    });
    expect(theirs.data.map(it => it.name)).toEqual(['İki']);
  });
}
