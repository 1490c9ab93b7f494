import type { Page } from '@playwright/test';
import { joinNetwork } from './src/guest.ts';
import { goTo } from './src/panel.ts';
import { expect, signIn, test } from './src/test.ts';
import { openRouter, randomMac } from './src/venue.ts';
import { type PanelWords, panelWords } from './src/words.ts';

// The other journeys do without animations.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

/** Shorter than the panel's refresh every minute, so a change that shows in time was pushed. */
const live = { timeout: 30_000 };

test('from an empty panel to a guest online, ended and in the history @phone', async ({
  page,
  browser,
  operator,
  product,
}, { project }) => {
  const run = project.name;
  const language = run === 'phone' ? 'tr' : 'en';
  const words = panelWords[language];
  const venue = `${language === 'tr' ? 'Güneşli Köşk Oteli' : 'Corner House'} ${run}`;
  const account = { name: 'Işıl Öğütçü', username: `isil.${run}`, password: 'şifre: gizli' };
  await page.addInitScript(chosen => localStorage.setItem('portico.language', chosen), language);
  await signIn(page, operator);

  await addLocation(page, words, venue);
  await addProfile(page, words);
  await chooseLocation(page, words, venue);
  const device = await addDevice(page, words);
  await addVisitor(page, words, account);
  await addPortal(page, words, venue);
  await goTo(page, words, 'online');
  await expect(page.getByText(words.noGuests)).toBeVisible();

  const router = await openRouter(product, device);
  const guest = await joinNetwork(browser, router, { language });
  try {
    await guest.open();
    expect(guest.page.url()).toContain(`${product.captive}/w/${device.nas_identifier}`);
    await expect(guest.page.getByText(venue).first()).toBeVisible();
    await guest.signIn(account);
    await guest.expectOnline();

    const row = page.getByRole('row').filter({ hasText: account.name });
    await expect(row).toBeVisible(live);
    await expect(row).toContainText(guest.device.mac);
    const session = router.session(guest.device.mac);
    expect(session?.limits).toMatchObject({ sessionTimeout: 7200, downloadBps: 20e6, uploadBps: 5e6 });

    // More than 32 bits, so Acct-Input-Gigawords and Acct-Output-Gigawords count too.
    router.use(guest.device, { uploadBytes: 5e9, downloadBytes: 20e9 });
    await row.getByRole('button', { name: words.actionsFor(account.name) }).click();
    await page.getByRole('menuitem', { name: words.end }).click();
    await expect(row).toBeHidden(live);
    await expect(page.getByText(words.noGuests)).toBeVisible();
    expect(router.stats.ended).toEqual({ 'Admin-Reset': 1 });
    // The panel asks again when the answer of a busy machine is late.
    expect(router.coaCommands()).toBeGreaterThan(0);
    expect(router.session(guest.device.mac)).toBeUndefined();
    await router.settled();

    await goTo(page, words, 'history');
    await expect(row).toContainText(words.megabytes.download);
    await expect(row).toContainText(words.megabytes.upload);
    await expect(row).toContainText(guest.device.mac);
  } finally {
    await guest.close();
    await router.close();
  }
});

async function addLocation(page: Page, words: PanelWords, name: string): Promise<void> {
  await goTo(page, words, 'locations');
  await page.getByRole('button', { name: words.addLocation }).first().click();
  const dialog = page.getByRole('dialog', { name: words.addLocation });
  await dialog.getByRole('button', { name: words.save }).click();
  await expect(dialog.getByRole('textbox', { name: words.name, exact: true })).toBeFocused();
  await dialog.getByRole('textbox', { name: words.name, exact: true }).fill(name);
  await dialog.getByRole('textbox', { name: words.city, exact: true }).fill('İzmir');
  await dialog.getByRole('button', { name: words.save }).click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
}

async function addProfile(page: Page, words: PanelWords): Promise<void> {
  await page.getByRole('link', { name: words.profiles }).click();
  await page.getByRole('button', { name: words.addProfile }).first().click();
  const dialog = page.getByRole('dialog', { name: words.addProfile });
  await dialog.getByRole('textbox', { name: words.name, exact: true }).fill('Standart');
  await dialog.getByRole('switch', { name: words.duration }).click();
  await dialog.getByText(words.unit.hour, { exact: true }).click();
  await slideTo(dialog.getByRole('slider', { name: words.duration }), 2);
  await dialog.getByRole('switch', { name: words.download }).click();
  await slideTo(dialog.getByRole('slider', { name: words.download }), 20);
  await dialog.getByRole('switch', { name: words.upload }).click();
  await slideTo(dialog.getByRole('slider', { name: words.upload }), 5);
  await dialog.getByRole('switch', { name: words.isDefault }).click();
  await dialog.getByRole('button', { name: words.save }).click();
  await expect(page.getByRole('row').filter({ hasText: 'Standart' })).toBeVisible();
}

/** Sets a slider with the keyboard. */
async function slideTo(slider: ReturnType<Page['getByRole']>, value: number): Promise<void> {
  await slider.press('Home');
  const least = Number(await slider.getAttribute('aria-valuenow'));
  for (let at = least; at < value; at++) await slider.press('ArrowRight');
  await expect(slider).toHaveAttribute('aria-valuenow', String(value));
}

async function chooseLocation(page: Page, words: PanelWords, name: string): Promise<void> {
  await page.getByRole('button', { name: words.changeLocation }).click();
  await page.getByRole('combobox', { name: words.findLocation }).fill(name);
  await page.getByRole('option', { name }).click();
  await expect(page.getByRole('button', { name: words.changeLocation })).toContainText(name);
}

async function addDevice(page: Page, words: PanelWords) {
  await goTo(page, words, 'devices');
  await page.getByRole('button', { name: words.addDevice }).first().click();
  const dialog = page.getByRole('dialog', { name: words.addDevice });
  await dialog.getByRole('radio', { name: 'MikroTik' }).check();
  await dialog.getByRole('button', { name: words.next }).click();
  await dialog.getByRole('textbox', { name: words.mac }).fill(randomMac());
  await dialog.getByRole('textbox', { name: words.name, exact: true }).fill('Lobi');
  await dialog.getByRole('button', { name: words.save }).click();
  await dialog.getByRole('button', { name: words.showSecret }).click();
  const factOf = (label: string) => dialog.locator(`dt:text-is("${label}") + dd`);
  const device = {
    nas_identifier: (await factOf(words.nas).innerText()).trim(),
    secret: (await factOf(words.secret).innerText()).trim(),
  };
  expect(device.nas_identifier).toMatch(/^[a-z0-9]{8,16}$/);
  expect(device.secret).toMatch(/^[A-Za-z0-9_-]{16,}$/);
  await dialog.getByRole('button', { name: words.openDevice }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Lobi' })).toBeVisible();
  return device;
}

async function addVisitor(
  page: Page,
  words: PanelWords,
  account: { name: string; username: string; password: string },
): Promise<void> {
  await goTo(page, words, 'visitors');
  await page.getByRole('button', { name: words.addVisitor }).first().click();
  const dialog = page.getByRole('dialog', { name: words.addVisitor });
  await dialog.getByRole('textbox', { name: words.guestName, exact: true }).fill(account.name);
  await dialog.getByRole('textbox', { name: words.username }).fill(account.username);
  await dialog.getByRole('textbox', { name: words.password }).fill(account.password);
  await dialog.getByRole('button', { name: words.save }).click();
  await expect(page.getByRole('row').filter({ hasText: account.name })).toContainText(account.username);
}

async function addPortal(page: Page, words: PanelWords, name: string): Promise<void> {
  await goTo(page, words, 'portals');
  await page.getByRole('button', { name: words.addPortal }).first().click();
  const dialog = page.getByRole('dialog', { name: words.addPortal });
  await dialog.getByRole('textbox', { name: words.name, exact: true }).fill(name);
  await dialog.getByRole('button', { name: words.save }).click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
}
