import type { Frame, Page } from '@playwright/test';
import { styleKeys } from '@portico/contract/portal-styles.ts';
import { enterPanel } from './src/panel.ts';
import { expect, expectAccessible, test } from './src/test.ts';
import { makeVenue } from './src/venue.ts';

/** A changed value for every style, in an order in which each has a visible effect. */
const changes: readonly (readonly [string, string | number])[] = [
  // Before custom colours, which it does not change.
  ['color_scheme', 'dark'],
  ['primary_color', '#7a1fa2'],
  ['background_color', '#225522'],
  ['background_type', 'color'],
  ['color_type', 'gradient'],
  // The end of the gradient; also the collapsed methods.
  ['secondary_color', '#8a2be2'],
  ['border_color', '#aa3366'],
  ['form_background_color', '#fff4e0'],
  ['welcome_message_text_color', '#004488'],
  ['welcome_font_size', 38],
  ['provider_layout', 'scroll'],
  ['portal_logo', 'LOGO'],
  ['logo_scale', 90],
  ['logo_background_color', '#113322'],
  ['logo_type', 'passive'],
  ['background_image', 'LOGO'],
  ['background_focus_x', 20],
  ['background_focus_y', 80],
  ['layout', 'split'],
  ['title_font', 'playfair'],
  ['text_font', 'nunito'],
  ['corner_radius', 4],
  ['button_shape', 'pill'],
  ['custom_css', '.title { margin: 24px 0 }'],
];
/** Shown in other states of the page than the sign-in, in the browser's bar, or on phones that are set to dark. */
const elsewhere = ['background_art', 'dark_mode', 'dark_logo', 'favicon', 'theme_color'];
/** Colours of messages, which the sign-in page does not show. Their values are in the page's style. */
const tones: Record<string, string> = { alert: '#8a1c10', warning: '#5c4300', info: '#00366d', success: '#003d24' };

/** All computed styles that a portal can change. */
const painted = (frame: Frame): Promise<string> =>
  frame.evaluate(() =>
    [...document.querySelectorAll('*')]
      .filter(it => !it.closest('head'))
      .map(element => {
        const { width, height, top } = element.getBoundingClientRect();
        const looks = [null, '::before', '::after'].map(part => {
          const it = getComputedStyle(element, part);
          const { color, background, borderColor, borderRadius, fontFamily, fontSize, boxShadow, colorScheme } = it;
          return [color, background, borderColor, borderRadius, fontFamily, fontSize, boxShadow, colorScheme].join();
        });
        return [element.tagName, width, height, top, ...looks].join();
      })
      .join('\n'),
  );

const say = (page: Page, message: object) =>
  page.evaluate(it => {
    const frame = document.querySelector('iframe')!;
    frame.contentWindow!.postMessage(it, new URL(frame.src).origin);
  }, message);

async function previewOf(page: Page): Promise<Frame> {
  const handle = await page.locator('iframe[data-ready]').elementHandle();
  const frame = await handle!.contentFrame();
  return frame!;
}

test('every style changes the preview, which accepts messages of the panel only', async ({
  page,
  operator,
  product,
}) => {
  const { portalId } = await makeVenue(operator);
  const body = new FormData();
  body.set('collection', 'logo');
  body.set(
    'file',
    new File(
      [
        '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="15"><rect width="60" height="15" fill="#f0f"/></svg>',
      ],
      'a.svg',
      { type: 'image/svg+xml' },
    ),
  );
  const headers = { authorization: `Bearer ${operator.token}` };
  const sent = await fetch(`${product.panel}/v1/panel/portal/${portalId}/image`, { method: 'POST', headers, body });
  const { data } = (await sent.json()) as { data: { url: string } };
  const providers = ['username', 'temp', 'sms'].map((slug, i) => ({ slug, order: i + 1, is_active: true }));
  await operator.call('PUT', `panel/portal/${portalId}`, { providers });
  await enterPanel(page, { token: operator.token, language: 'tr' });
  await page.goto(`/portals/${portalId}/edit/surveys`);
  await page.goto(`/portals/${portalId}/edit`);
  const frame = await previewOf(page);

  const known = [...changes.map(([key]) => key), ...elsewhere, ...Object.keys(tones).map(name => `${name}_color`)];
  expect(known.sort()).toEqual([...styleKeys].sort());
  for (const [key, value] of changes) {
    const before = await painted(frame);
    const styles = {
      [key]: value === 'LOGO' ? data.url : value,
      ...(key === 'background_image' && { background_type: 'image' }),
    };
    // The editor sends the stored styles when the frame is ready, which may be after the first of these.
    const shown = async () => {
      await say(page, { type: 'portico:style-changed', styles });
      return painted(frame);
    };
    await expect.poll(shown, `${key} is seen`).not.toBe(before);
  }

  for (const [name, colour] of Object.entries(tones)) {
    const tone = () =>
      frame.evaluate(it => getComputedStyle(document.documentElement).getPropertyValue(it), `--${name}`);
    const before = await tone();
    await say(page, { type: 'portico:style-changed', styles: { [`${name}_color`]: colour } });
    await expect.poll(tone, `${name} is seen`).not.toBe(before);
  }
  // The editor's list leads to the other pages of the guests.
  await say(page, { type: 'portico:view-changed', view: { page: 'online' } });
  await expect(frame.locator('dl')).toBeVisible();
  await say(page, { type: 'portico:view-changed', view: { page: 'sign-in' } });
  await expect(frame.locator('dl')).toHaveCount(0);

  // Messages from another origin or another window are ignored.
  const size = () => frame.getByRole('heading', { level: 1 }).evaluate(it => getComputedStyle(it).fontSize);
  expect(await size()).toBe('38px');
  await frame.evaluate(() => {
    const stranger = { type: 'portico:style-changed', styles: { welcome_font_size: 14 } };
    dispatchEvent(new MessageEvent('message', { data: stranger, origin: 'https://evil.example', source: parent }));
    postMessage(stranger, '*');
  });
  await say(page, { type: 'portico:message-changed', messages: { welcome_message_title: { tr: 'Yalnız panel' } } });
  await expect(frame.getByRole('heading', { name: 'Yalnız panel' })).toBeVisible();
  expect(await size()).toBe('38px');

  await say(page, { type: 'portico:provider-changed', providers: [{ slug: 'email', order: 1, is_active: true }] });
  await expect(frame.locator('input[name=username]')).toHaveCount(0);
  await expect(frame.locator('input[type=email]')).toBeVisible();
  const bar = page.getByRole('complementary', { name: 'Portal önizlemesi' });
  await bar.getByRole('radio', { name: 'العربية' }).check();
  await expect(frame.locator('html')).toHaveAttribute('dir', 'rtl');
  const width = () => frame.evaluate(() => innerWidth);
  const phone = await width();
  await bar.getByRole('button', { name: 'Masaüstü' }).click();
  await expect.poll(width).toBeGreaterThan(phone * 2);
});

test('the preview has the packages and the summary of a purchase where guests can buy', async ({ page, operator }) => {
  const { portalId, locationId: location_id } = await makeVenue(operator);
  await enterPanel(page, { token: operator.token, language: 'tr' });
  await page.goto(`/portals/${portalId}/edit`);
  const pages = page.getByRole('combobox', { name: 'Sayfa' });
  const frame = page.frameLocator('iframe[data-ready]');
  await expect(frame.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(pages.getByRole('option', { name: 'Bağlandı' })).toBeAttached();
  await expect(pages.getByRole('option', { name: 'Paketler' })).toHaveCount(0);

  const paid_sale = { is_active: true, option: 'eur', value: 5 };
  const profile = { location_id, name: 'Hızlı', paid_sale };
  const made = await operator.call<{ data: { id: string } }>('POST', 'panel/location/user-profile', profile);
  const name = { tr: 'Hızlı gün' };
  const sold = { location_id, profile_id: made.data.id, name, price: 499, currency: 'eur', min_days: 2, max_days: 5 };
  await operator.call('POST', 'panel/package', sold);
  const connection = { type: 'test-payment' };
  const account = { location_id, name: 'Ödeme', integration_id: 'test-payment', params: { connection } };
  await operator.call('POST', 'panel/integration', account);
  await page.reload();
  await pages.selectOption({ label: 'Paketler' });
  await expect(frame.getByText('Hızlı gün')).toBeVisible();
  await expect(frame.getByRole('spinbutton')).toHaveValue('2');
  await pages.selectOption({ label: 'Satın alma özeti' });
  await expect(frame.getByRole('heading', { name: 'Satın alma özeti' })).toBeVisible();
  await expect(frame.getByText('€9,98')).toBeVisible();
  await expectAccessible(page);
});

test('leaving with unsaved changes asks for confirmation: tab, menu, reload, close @phone', async ({
  page,
  operator,
}) => {
  const { portalId, locationId, name } = await makeVenue(operator);
  await operator.call('PUT', `panel/location/${locationId}`, { name, available_providers: ['temp', 'sms'] });
  await enterPanel(page, { token: operator.token, language: 'tr' });
  await page.goto(`/portals/${portalId}/edit/sign-in-methods`);
  const notGiven = page.getByText(`${name} lokasyonuna bu yöntem verilmemiş`);
  await expect(notGiven).toHaveCount(5);
  await expectAccessible(page);

  await page.goto(`/portals/${portalId}/edit`);
  const welcome = page.getByRole('textbox', { name: 'Karşılama metni', exact: true });
  await welcome.fill('Kaydedilmemiş');
  const asked = page.getByRole('dialog', { name: 'Değişiklikler' });
  for (const link of ['Giriş yöntemleri', 'Portallar']) {
    await page.getByRole('link', { name: link, exact: true }).filter({ visible: true }).first().click();
    await asked.getByRole('button', { name: 'Düzenlemeye devam et' }).click();
    await expect(asked).toBeHidden();
    await expect(welcome).toHaveValue('Kaydedilmemiş');
  }
  const [reload] = await Promise.all([
    page.waitForEvent('dialog'),
    page.evaluate(() => void setTimeout(() => location.reload())),
  ]);
  expect(reload.type()).toBe('beforeunload');
  await reload.dismiss();
  await expect(welcome).toHaveValue('Kaydedilmemiş');
  const [closing] = await Promise.all([page.waitForEvent('dialog'), page.close({ runBeforeUnload: true })]);
  expect(closing.type()).toBe('beforeunload');
  await closing.dismiss();
  await expect(welcome).toHaveValue('Kaydedilmemiş');
});
