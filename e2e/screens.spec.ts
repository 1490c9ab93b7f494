import type { Page } from '@playwright/test';
import { enterPanel } from './src/panel.ts';
import { publicScreens, type Screen, screens, type Things } from './src/screens.ts';
import { expect, expectAccessible, test } from './src/test.ts';
import { makeMenu, makeVenue, openRouter } from './src/venue.ts';
import { type PanelLanguage, panelWords } from './src/words.ts';

/** Phones get the longer words. Both languages at every width and in every colour would find nothing more. */
const languageOf = (project: string, dark = false): PanelLanguage => ((project === 'phone') === dark ? 'en' : 'tr');

/** Nothing that axe finds, nothing that runs out at the side, and no text that was left as its key. */
async function expectSound(page: Page): Promise<void> {
  const { width, needed } = await page
    .locator('html')
    .evaluate(html => ({ width: html.clientWidth, needed: html.scrollWidth }));
  expect.soft(needed, `width of ${page.url()}`).toBeLessThanOrEqual(width);
  // Names of the API look like keys, and are shown as code.
  const code = new Set(await page.locator('code').allInnerTexts());
  const lines = (await page.locator('body').innerText()).split('\n').filter(line => !code.has(line));
  expect.soft(lines.join('\n'), `texts of ${page.url()}`).not.toMatch(keyOfText);
  await expectAccessible(page);
}

/** Such as `devices:emptyTitle` and `limit.amount.hour`: what is shown for a text that there is not. */
const keyOfText = /^[a-z]+(:|\.)[a-zA-Z]+(\.[a-zA-Z]+)*$/m;

async function open(page: Page, screen: Screen, language: PanelLanguage, things: Things): Promise<void> {
  await page.goto(screen.path(things));
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText(/^(…|)$/);
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  for (const name of screen.press?.(panelWords[language]) ?? [])
    await page.getByRole('button', { name, exact: true }).or(page.getByRole('radio', { name })).first().click();
  await expect(page.locator('[data-loading=true]')).toHaveCount(0);
}

/** Where the menu and the tabs of a screen lead, with ids taken out. */
async function leadsTo(page: Page): Promise<string[]> {
  const paths = await page
    .locator('nav a[href^="/"]')
    .evaluateAll(links => links.map(link => (link as HTMLAnchorElement).pathname));
  return paths.map(withoutIds);
}

const withoutIds = (path: string) => path.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ':id');

for (const dark of [false, true]) {
  const look = dark ? 'dark' : 'light';
  // Colours are the same at any width.
  const details = dark ? { tag: '@wide' } : {};

  test(`screens before sign-in, ${look}`, details, async ({ page }, { project }) => {
    await enterPanel(page, { token: '', language: languageOf(project.name, dark), dark });
    for (const path of publicScreens) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expectSound(page);
    }
    await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' });
    await page.goto('/docs');
    await expectAccessible(page);
  });

  test(`screens with something on them, ${look}`, details, async ({ page, operator, product }, { project }) => {
    test.setTimeout(600_000);
    const language = languageOf(project.name, dark);
    await enterPanel(page, { token: operator.token, language, dark });
    const { device, locationId: location, portalId: portal, visitor } = await makeVenue(operator);
    await makeMenu(operator);
    const router = await openRouter(product, device);
    const phone = router.lease({ mac: '02:00:00:00:00:03' });
    await router.signIn(phone, visitor.username, 'yanlış');
    await router.signIn(phone, visitor.username, visitor.password);
    router.use(phone, { uploadBytes: 3e9, downloadBytes: 123e9 });
    await router.settled();
    const connected = async (name: string, connection: { type: string }) => {
      const body = { name, location_id: location, integration_id: connection.type, params: { connection } };
      return (await operator.call<{ data: { id: string } }>('POST', 'panel/integration', body)).data.id;
    };
    const { data: survey } = await operator.call<{ data: { id: string } }>('POST', `panel/portal/${portal}/surveys`, {
      name: 'Stay',
      questions: [{ label: { tr: 'Başka?' }, answer_type: 'text', type: 'single', answers: [] }],
    });
    await operator.call('POST', `panel/device/${device.id}/certificates`, { name: 'Lobi', days: 20 });
    const things = {
      survey: survey.id,
      device: device.id,
      location,
      portal,
      visitor: visitor.id,
      webhook: await connected('CRM', {
        type: 'webhook',
        url: 'https://example.com/',
        events: ['guest.online'],
      } as never),
      gateway: await connected('SMS', { type: 'vonage', username: 'a', password: 'b', sender: 'KAFE' } as never),
    };
    const met = new Set<string>();
    for (const screen of screens) {
      await open(page, screen, language, things);
      for (const path of await leadsTo(page)) met.add(path);
      await expectSound(page);
    }
    const known = new Set(screens.map(screen => withoutIds(screen.path(things))));
    expect(
      [...met].filter(path => !known.has(path)),
      'screens that src/screens.ts does not list',
    ).toEqual([]);
    await router.close();
  });
}

test('lists with nothing on them', async ({ page, operator }, { project }) => {
  test.setTimeout(400_000);
  const language = languageOf(project.name, true);
  await enterPanel(page, { token: operator.token, language });
  const { data } = await operator.call<{ data: { id: string } }>('POST', 'panel/location', { name: 'Boş' });
  await operator.call('POST', `panel/user/team/change/${data.id}`, {});
  const things = { location: data.id, device: '', portal: '', survey: '', visitor: '', webhook: '', gateway: '' };
  for (const screen of screens.filter(each => each.list)) {
    await open(page, screen, language, things);
    await expectSound(page);
  }
});
