import type { Locator, Page } from '@playwright/test';
import { enterPanel } from './src/panel.ts';
import { expect, test } from './src/test.ts';
import { makeVenue } from './src/venue.ts';

/** Drags an item of a list by its handle to the position of another. */
async function drag(page: Page, list: Locator, from: number, to: number): Promise<void> {
  const rows = list.locator(':scope > li');
  const handle = rows.nth(from).locator('[data-handle]');
  await handle.scrollIntoViewIfNeeded();
  const start = (await handle.boundingBox())!;
  const end = (await rows.nth(to).boundingBox())!;
  const x = start.x + start.width / 2;
  await page.mouse.move(x, start.y + start.height / 2);
  await page.mouse.down();
  await page.mouse.move(x, (start.y + end.y) / 2, { steps: 8 });
  await page.mouse.move(x, to < from ? end.y + 3 : end.y + end.height - 3, { steps: 8 });
  await expect(list.locator('[data-dragged]')).toHaveCount(1);
  // The list follows the pointer once a frame. A person does not let go in the frame of the last move either.
  for (const nudge of [1, 0]) {
    await page.mouse.move(x + nudge, to < from ? end.y + 3 : end.y + end.height - 3);
    await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));
  }
  await page.mouse.up();
  await expect(list.locator('[data-dragged]')).toHaveCount(0);
}

type Made = { data: { id: string } };
interface Shown {
  data: {
    providers: { slug: string }[];
    surveys: { questions: { label: { tr: string } }[] }[];
    redirect_rules: { url: string }[];
  };
}

test('methods, questions and rules are reordered with mouse and keyboard', async ({ page, operator }) => {
  const { portalId } = await makeVenue(operator);
  const at = `panel/portal/${portalId}`;
  const slugs = ['username', 'sms', 'temp'];
  await operator.call('PUT', at, { providers: slugs.map((slug, i) => ({ slug, order: i + 1, is_active: true })) });
  const questions = ['Bir', 'İki', 'Üç'].map(tr => ({ label: { tr } }));
  await operator.call<Made>('POST', `${at}/surveys`, { name: 'Anket', questions });
  for (const n of [1, 2, 3]) {
    const rule = { state: 'login_successful', action: 'redirect_to_url', url: `https://example.com/${n}` };
    await operator.call<Made>('POST', `${at}/rules`, rule);
  }
  const kept = async () => (await operator.call<Shown>('GET', at)).data;
  await enterPanel(page, { token: operator.token, language: 'tr' });

  // Sign-in methods: the preview changes before saving.
  await page.goto(`/portals/${portalId}/edit/sign-in-methods`);
  const methods = page.getByRole('list', { name: 'Giriş yöntemleri' });
  const first = (count: number) =>
    methods
      .getByRole('switch')
      .evaluateAll((all, n) => all.slice(0, n).map(it => it.closest('li')!.dataset['key']), count);
  const frame = page.frameLocator('iframe[data-ready]');
  const previewed = () =>
    frame.locator('input[name=method]').evaluateAll(all => all.map(it => (it as HTMLInputElement).value));
  await expect.poll(previewed).toEqual(slugs);
  // The preview may come before the form.
  await expect(methods.getByRole('switch')).toHaveCount(7);
  const before = await first(7);
  const temp = before.indexOf('temp');
  await drag(page, methods, temp, before.indexOf('username'));
  await expect.poll(previewed).toEqual(['temp', 'username', 'sms']);
  await drag(page, methods, (await first(7)).indexOf('username'), (await first(7)).indexOf('sms'));
  await expect.poll(previewed).toEqual(['temp', 'sms', 'username']);
  // The dragged handle keeps the focus for the arrow keys.
  await expect(methods.locator('[data-key=username] [data-handle]')).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect.poll(previewed).toEqual(['temp', 'username', 'sms']);
  await expect(page.getByText(/ artık \d\/7 sırada$/)).toBeAttached();
  // A drag back to the start and a drag cancelled with Escape change nothing.
  const now = await first(7);
  await drag(page, methods, 2, 2);
  expect(await first(7)).toEqual(now);
  const handle = (await methods.locator('[data-handle]').first().boundingBox())!;
  await page.mouse.move(handle.x + 5, handle.y + 5);
  await page.mouse.down();
  await page.mouse.move(handle.x + 5, handle.y + 300, { steps: 5 });
  await page.keyboard.press('Escape');
  await page.mouse.up();
  expect(await first(7)).toEqual(now);
  await page.getByRole('button', { name: 'Kaydet', exact: true }).click();
  await expect(page.getByText('Portal güncellendi!')).toBeVisible();
  expect((await kept()).providers.filter(it => slugs.includes(it.slug)).map(it => it.slug)).toEqual([
    'temp',
    'username',
    'sms',
  ]);

  // Questions of a survey.
  await page.getByRole('link', { name: 'Anketler', exact: true }).click();
  await expect(page.getByText('Burada kaydettikleriniz misafirlere hemen yansır')).toBeVisible();
  await page.getByRole('button', { name: /^Anket 3 soru/ }).click();
  await drag(page, page.getByRole('list', { name: 'Sorular' }), 2, 0);
  await page.getByRole('button', { name: 'Kaydet', exact: true }).click();
  await expect(page.getByText('Anket güncellendi!')).toBeVisible();
  expect((await kept()).surveys[0]!.questions.map(it => it.label.tr)).toEqual(['Üç', 'Bir', 'İki']);
  // A survey without questions may be kept, and says that guests do not see it.
  await page.getByRole('button', { name: /^Anket 3 soru/ }).click();
  const none = page.getByText('Misafirler soru eklenene dek bu anketi görmez.');
  for (const left of [3, 2, 1]) {
    await expect(none).toBeHidden();
    await page.getByRole('button', { name: `Sil: ${left}. soru` }).click();
  }
  await expect(none).toBeVisible();
  await page.getByRole('button', { name: 'Değişiklikleri geri al', exact: true }).click();

  // Rules are saved immediately.
  await page.getByRole('link', { name: 'Kurallar', exact: true }).click();
  await drag(page, page.getByRole('list', { name: 'Kurallar' }), 0, 2);
  const order = async () => (await kept()).redirect_rules.map(it => it.url.at(-1)).join('');
  await expect.poll(order).toBe('231');
});
