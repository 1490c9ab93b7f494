import { readFile } from 'node:fs/promises';
import { joinNetwork } from './src/guest.ts';
import { enterPanel, press } from './src/panel.ts';
import { expect, expectAccessible, test } from './src/test.ts';
import { makeVenue, openRouter } from './src/venue.ts';

/** The distinct page sizes of a PDF in millimetres, and the number of pages. */
function pagesOf(pdf: Buffer): { count: number; sizes: string[] } {
  const boxes = [...pdf.toString('latin1').matchAll(/\/MediaBox *\[0 0 ([\d.]+) ([\d.]+)\]/g)];
  const mm = (points: string | undefined) => Math.round((Number(points) / 72) * 25.4);
  return { count: boxes.length, sizes: [...new Set(boxes.map(box => `${mm(box[1])}×${mm(box[2])}`))] };
}

test('visitors are created in bulk, their cards printed, and a guest scans one @phone', async ({
  page,
  browser,
  operator,
  product,
}, { project }) => {
  const words = await enterPanel(page, { token: operator.token, language: project.name === 'phone' ? 'tr' : 'en' });
  const { device, name } = await makeVenue(operator);
  await page.addInitScript(() => {
    window.print = () => document.body.setAttribute('data-asked-to-print', '');
  });
  await page.goto('/visitors');
  await press(page, words.bulkAdd, words);
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(words.howMany).fill('12');
  await dialog.getByRole('textbox', { name: words.name, exact: true }).fill('Kongre');
  await dialog.getByRole('button', { name: words.make, exact: true }).click();

  const cards = dialog.getByRole('listitem');
  await expect(cards).toHaveCount(12);
  await expect(cards.first()).toContainText(name);
  await expect(cards.first().getByRole('img')).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: words.print, exact: true }).click();
  await expect(page.locator('body[data-asked-to-print]')).toBeAttached();
  expect(pagesOf(await page.pdf({ preferCSSPageSize: true }))).toEqual({ count: 2, sizes: ['210×297'] });
  await dialog.getByText(words.slips).click();
  expect(pagesOf(await page.pdf({ preferCSSPageSize: true }))).toEqual({ count: 12, sizes: ['80×100'] });

  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: words.saveCsv }).click();
  const csv = await readFile(await (await download).path(), 'utf8');
  const [, ...lines] = csv.trim().split('\r\n');
  expect(lines).toHaveLength(12);
  const [, username, password, link] = lines[0]!.split(',');
  await expect(cards.first()).toContainText(username!);
  await expect(cards.first()).toContainText(password!);

  const router = await openRouter(product, device);
  const guest = await joinNetwork(browser, router);
  try {
    await guest.page.goto(link!);
    await expectAccessible(guest.page);
    await guest.page.getByRole('link', { name: guest.words.connect }).click();
    await guest.expectOnline();
  } finally {
    await guest.close();
    await router.close();
  }
});

test('visitors are imported when every line is valid', async ({ page, operator }) => {
  const words = await enterPanel(page, { token: operator.token, language: 'en' });
  await makeVenue(operator);
  await page.goto('/visitors');
  await page.getByRole('button', { name: words.importCsv }).click();
  const dialog = page.getByRole('dialog');
  await expectAccessible(page);
  const choose = (...rows: string[]) =>
    dialog.locator('input[type=file]').setInputFiles({
      name: 'guests.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(['Ad;Kullanıcı adı;Parola;E-posta', ...rows].join('\n')),
    });
  await choose('Şule Öz;sule;gizli-1;', 'Can;can;gizli-2;not a mail');
  await expect(dialog.getByText(words.toCorrect)).toBeVisible();
  await expectAccessible(page);
  await choose('Şule Öz;sule;gizli-1;', 'Can;can;gizli-2;can@example.com');
  await dialog.getByRole('button', { name: words.addTwo }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('row').filter({ hasText: 'Şule Öz' })).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: 'Can' })).toBeVisible();
});
