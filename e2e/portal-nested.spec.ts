import { joinNetwork } from './src/guest.ts';
import { enterPanel } from './src/panel.ts';
import { expect, expectAccessible, test } from './src/test.ts';
import { makeVenue, openRouter } from './src/venue.ts';

test('a survey, its rule and an advertisement are saved as a draft, published and rolled back', async ({
  page,
  browser,
  operator,
  product,
}) => {
  const { portalId, device } = await makeVenue(operator);
  const at = `panel/portal/${portalId}`;
  const { data: old } = await operator.call<{ data: { id: string } }>('POST', `${at}/surveys`, {
    name: 'Eski',
    questions: [{ label: { tr: 'Oda nasıldı?' }, answers: [] }],
  });
  const lead = { state: 'before_login', action: 'redirect_to_survey', survey_id: old.id };
  await operator.call('POST', `${at}/rules`, lead);
  const router = await openRouter(product, device);
  // A survey is asked once per guest, so each check uses a new one.
  const isAsked = async (question: string) => {
    const guest = await joinNetwork(browser, router, { script: false });
    await guest.open();
    await expect(guest.page.getByLabel(question)).toBeVisible();
    await guest.close();
  };
  const openTab = async (name: string) => {
    await page.getByRole('link', { name, exact: true }).click();
    await expect(page.getByRole('link', { name, exact: true })).toHaveAttribute('aria-current', 'page');
  };
  const kept = () => page.waitForResponse(it => it.url().endsWith('/draft') && it.request().method() === 'PUT');
  /** Performs a change and waits until the draft is saved. */
  const keep = async (act: () => Promise<void>) => {
    const [answer] = await Promise.all([kept(), act()]);
    expect(answer.status(), await answer.text()).toBe(200);
  };
  try {
    await isAsked('Oda nasıldı?');
    await enterPanel(page, { token: operator.token, language: 'tr' });
    await page.goto(`/portals/${portalId}/edit/surveys`);
    // The first load of the panel with an empty cache.
    await expect(page.getByText('Burada kaydettikleriniz misafirlere hemen yansır.')).toBeVisible();
    await page.getByRole('switch', { name: 'Taslak olarak sakla' }).press(' ');
    await expect(page.getByText('misafirler yayımladığınızda görür')).toBeVisible();
    await expectAccessible(page);

    await page.getByRole('button', { name: 'Anket ekle' }).click();
    await page.getByRole('textbox', { name: 'Ad', exact: true }).fill('Yeni');
    await page.getByRole('textbox', { name: 'Soru', exact: true }).fill('Çay nasıldı?');
    await page.getByRole('textbox', { name: '1. yanıt' }).fill('Güzel');
    await page.getByRole('textbox', { name: '2. yanıt' }).fill('Soğuk');
    await keep(() => page.getByRole('button', { name: 'Kaydet', exact: true }).click());
    const note = page.getByRole('region', { name: 'Bu portalın misafirlerin henüz görmediği bir taslağı var.' });
    await expect(note).toBeVisible();
    // Without answers there are no results.
    const results = page.getByRole('button', { name: 'Sonuçlar' });
    await page.getByRole('button', { name: /^Yeni 1 soru/ }).click();
    await expect(page.getByRole('textbox', { name: 'Ad', exact: true })).toHaveValue('Yeni');
    await expect(results).toHaveCount(0);
    await page.getByRole('button', { name: /^Eski 1 soru/ }).click();
    await expect(results).toBeVisible();

    await openTab('Kurallar');
    await page.getByRole('button', { name: 'Kural ekle' }).click();
    const rule = page.getByRole('dialog', { name: 'Kural ekle' });
    await rule.getByRole('combobox', { name: 'Ne zaman' }).click();
    await page.getByRole('option', { name: 'Girişten önce' }).click();
    await rule.getByRole('combobox', { name: 'Anket' }).click();
    await page.getByRole('option', { name: 'Yeni' }).click();
    await keep(() => rule.getByRole('button', { name: 'Kaydet' }).click());
    const rules = page.getByRole('list', { name: 'Kurallar' });
    await expect(rules.getByRole('listitem')).toHaveCount(2);
    await rules.locator('[data-handle]').nth(1).focus();
    await keep(() => page.keyboard.press('ArrowUp'));
    await expect(rules.getByRole('listitem').first()).toContainText('Yeni');

    await openTab('Reklamlar');
    await page.getByRole('button', { name: 'Reklam ekle' }).click();
    const ad = page.getByRole('dialog');
    await ad.getByRole('textbox', { name: 'Ad', exact: true }).fill('Film');
    await ad.getByText('Gömme kodu', { exact: true }).click();
    // Errors appear at their field, as without a draft.
    await ad.getByRole('textbox', { name: 'Gömme kodu' }).fill('<b>hi</b>');
    await ad.getByRole('button', { name: 'Kaydet' }).click();
    await expect(ad.getByRole('textbox', { name: 'Gömme kodu' })).toHaveAccessibleDescription(
      /https adresli bir çerçeve \(iframe\) içeren gömme kodu yapıştırın/,
    );
    await ad.getByRole('textbox', { name: 'Gömme kodu' }).fill('<iframe src="https://example.com/"></iframe>');
    await keep(() => ad.getByRole('button', { name: 'Kaydet' }).click());
    await expect(page.getByRole('article', { name: 'Film' })).toBeVisible();
    await expectAccessible(page);
    await isAsked('Oda nasıldı?');

    await note.getByRole('button', { name: 'Yayımla' }).click();
    await expect(note).toBeHidden();
    await isAsked('Güzel');
    await page.getByRole('button', { name: 'Geçmiş' }).click();
    const history = page.getByRole('dialog', { name: 'Geçmiş' });
    const versions = history.getByRole('listitem');
    await expect(versions.first()).toContainText('Anketler, Kurallar, Reklamlar');
    const [count] = [await versions.count()];
    await versions
      .nth(1)
      .getByRole('button', { name: /geri yükle$/ })
      .click();
    await page.getByRole('dialog', { name: 'sürüm' }).getByRole('button', { name: 'Geri yükle', exact: true }).click();
    await expect(versions).toHaveCount(count + 1);
    await isAsked('Oda nasıldı?');
    const { data } = await operator.call<{ data: { surveys: { id: string }[]; advertisements: object[] } }>('GET', at);
    expect([data.surveys.map(it => it.id), data.advertisements]).toEqual([[old.id], []]);
  } finally {
    await router.close();
  }
});
