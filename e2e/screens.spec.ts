import type { Page } from '@playwright/test';
import { startFiasPms } from '../server/src/features/integrations/testing/fias-pms.ts';
import { expectFits } from './src/fits.ts';
import type { Operator } from './src/operator.ts';
import { enterPanel, follow, press } from './src/panel.ts';
import { publicScreens, type Screen, screens, type Things } from './src/screens.ts';
import { axeProgram, expect, expectAccessible, test } from './src/test.ts';
import { makeMenu, makeVenue, openRouter } from './src/venue.ts';
import { type PanelLanguage, panelWords } from './src/words.ts';

interface Sweep {
  readonly language: PanelLanguage;
  /** Rules of axe that can find something new in this sweep; all unless given. */
  readonly rules?: readonly string[];
  /** Whether each screen is then shown in dark colours too. */
  readonly dark?: boolean;
}

/**
 * Every screen is opened twice, and each time checked for what can differ. Wide: everything, then dark colours. On a phone:
 * sizes, with the longer words of Turkish. `roles.spec.ts` opens the wide screens in Turkish.
 */
const sweeps = {
  desktop: { language: 'en', dark: true },
  phone: { language: 'tr', rules: ['target-size'] },
} as const satisfies Record<string, Sweep>;

const sweepOf = (project: string): Sweep => (project === 'phone' ? sweeps.phone : sweeps.desktop);

const ofColours = ['color-contrast', 'link-in-text-block'];
const ofLooks = [...ofColours, 'target-size'];

/** Changes the colours as another window of the panel does. */
const showScheme = (page: Page, scheme: 'light' | 'dark') =>
  page.evaluate(chosen => {
    const key = 'portico.scheme';
    localStorage.setItem(key, chosen);
    window.dispatchEvent(new StorageEvent('storage', { storageArea: localStorage, key, newValue: chosen }));
  }, scheme);

/** The part of the page that axe checks: the whole page unless given. */
type Parts = { readonly part?: string };

/** Expects that the screen fits and that axe finds nothing, in dark colours too where the sweep has them. */
async function expectSound(page: Page, { rules, dark }: Sweep, parts: Parts = {}): Promise<void> {
  await expectFits(page);
  await expectAccessible(page, { ...parts, ...(rules && { rules }) });
  if (!dark) return;
  await showScheme(page, 'dark');
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await expectAccessible(page, { ...parts, rules: ofColours });
  await showScheme(page, 'light');
}

/** Leaves three of each kind of block in the reference of the API. */
const shorten = (page: Page) =>
  page.evaluate(() => {
    for (const list of document.querySelectorAll('main > section, nav'))
      for (const more of list.querySelectorAll(':scope > :nth-child(n + 5)')) more.remove();
  });

interface Opening {
  readonly sweep: Sweep;
  readonly things: Things;
  /** The screen that is open. */
  readonly before: Screen | undefined;
}

const opensDialog = ({ press: buttons, inPlace }: Screen) => buttons !== undefined && !inPlace;

/** Opens a screen as a link does: loading the panel again takes as long as everything else. */
async function open(page: Page, screen: Screen, { sweep: { language }, things, before }: Opening): Promise<void> {
  const path = screen.path(things);
  const previous = before?.path(things);
  const pathname = (address: string | undefined) => address?.split('?', 1)[0];
  const isOpen = previous === path && (!before?.press || (await closeDialog(page)));
  // A dialog stays while the path does.
  if (!isOpen && before && pathname(previous) !== pathname(path)) await follow(page, path);
  else if (!isOpen) await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText(/^(…|)$/);
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  for (const name of screen.press?.(panelWords[language]) ?? []) await press(page, name, panelWords[language]);
  // A dialog is loaded when it opens: the checks would otherwise begin without it.
  if (opensDialog(screen)) await expect(page.getByRole('dialog')).toHaveCount(1);
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  await expect(page.locator('[data-loading=true]')).toHaveCount(0);
}

/**
 * The parts that axe has not checked yet. The page behind a dialog is a screen of its own in the list; the first dialog is checked with
 * the page behind it. Without the page, axe takes half of the time.
 */
function newParts(part: readonly Screen[], things: Things) {
  const isAlone = new Set(screens.filter(it => !it.press).map(it => it.path(things)));
  const first = part.find(opensDialog);
  return (screen: Screen): Parts =>
    opensDialog(screen) && screen !== first && isAlone.has(screen.path(things)) ? { part: '[role=dialog]' } : {};
}

/** Closes the open dialog. Returns false without exactly one, or if it stays open. Loading the page again takes much longer. */
async function closeDialog(page: Page): Promise<boolean> {
  const dialog = page.getByRole('dialog');
  if ((await dialog.count()) !== 1) return false;
  await page.keyboard.press('Escape');
  return dialog.waitFor({ state: 'detached', timeout: 2000 }).then(
    () => true,
    () => false,
  );
}

/** The paths that the menu and the tabs of a screen link to, with ids replaced. */
async function linkedPaths(page: Page): Promise<string[]> {
  const paths = await page
    .locator('nav a[href^="/"]')
    .evaluateAll(links => links.map(link => (link as HTMLAnchorElement).pathname));
  return paths.map(withoutIds);
}

const withoutIds = (path: string) => path.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ':id');

// The sweeps take longest, so that workers share them.
const partSize = 28;
const parts = Array.from({ length: Math.ceil(screens.length / partSize) }, (_, index) =>
  screens.slice(index * partSize, (index + 1) * partSize),
);
test.describe.configure({ mode: 'parallel' });

test('screens before sign-in @phone', async ({ page }, { project }) => {
  const sweep = sweepOf(project.name);
  await enterPanel(page, { token: '', language: sweep.language });
  await page.addInitScript(axeProgram);
  for (const path of publicScreens) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectSound(page, sweep);
  }
  await page.goto('/docs');
  // Colours and sizes are the same for each call, and take axe a quarter of a minute for all of them.
  if (!sweep.rules) await expectAccessible(page, { except: ofLooks });
  await shorten(page);
  await expectAccessible(page, { rules: sweep.rules ?? ofLooks });
  if (!sweep.dark) return;
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page, { rules: ofColours });
});

for (const [number, part] of parts.entries())
  test(`screens with data, part ${number + 1} of ${parts.length} @phone`, async ({ page, operator, product }, {
    project,
  }) => {
    const sweep = sweepOf(project.name);
    await enterPanel(page, { token: operator.token, language: sweep.language });
    // Each screen needs it, and the browser has it then.
    await page.addInitScript(axeProgram);
    const { device, locationId: location, portalId: portal, visitor } = await makeVenue(operator);
    await makeMenu(operator);
    const router = await openRouter(product, device);
    const phone = router.lease({ mac: '02:00:00:00:00:03' });
    await router.signIn(phone, visitor.username, 'yanlış');
    await router.signIn(phone, visitor.username, visitor.password);
    router.use(phone, { uploadBytes: 3e9, downloadBytes: 123e9 });
    await router.settled();
    const pms = await startFiasPms();
    const connected = async (name: string, connection: { type: string; [field: string]: unknown }) => {
      const body = { name, location_id: location, integration_id: connection.type, params: { connection } };
      return (await operator.call<{ data: { id: string } }>('POST', 'panel/integration', body)).data.id;
    };
    const { data: survey } = await operator.call<{ data: { id: string } }>('POST', `panel/portal/${portal}/surveys`, {
      name: 'Stay',
      questions: [{ label: { tr: 'Başka?' }, answer_type: 'text', type: 'single', answers: [] }],
    });
    await operator.call('POST', `panel/device/${device.id}/certificates`, { name: 'Lobi', days: 20 });
    const { data: batch } = await operator.call<{ data: { id: string } }>('POST', 'panel/voucher-batch', {
      location_id: location,
      name: 'Havuz günlük',
      count: 3,
      price: 250,
      valid_for: { is_active: true, option: 'day', value: 1 },
      at_desk: true,
    });
    await operator.call('POST', `panel/voucher-batch/${batch.id}/issue`, { count: 1 });
    const things = {
      batch: batch.id,
      survey: survey.id,
      device: device.id,
      location,
      portal,
      visitor: visitor.id,
      webhook: await connected('CRM', {
        type: 'webhook',
        url: 'https://example.com/',
        events: ['guest.online'],
      }),
      import: await uploadedImport(operator, location),
      gateway: await connected('SMS', { type: 'vonage', username: 'a', password: 'b', sender: 'KAFE' }),
      hotel: await connected('Opera', { type: 'fias', host: '127.0.0.1', port: pms.port, currency: 'try' }),
    };
    const found = new Set<string>();
    const partsOf = newParts(part, things);
    for (const [index, screen] of part.entries()) {
      await open(page, screen, { sweep, things, before: part[index - 1] });
      for (const path of await linkedPaths(page)) found.add(path);
      await expectSound(page, sweep, partsOf(screen));
    }
    const known = new Set(screens.map(screen => withoutIds(screen.path(things))));
    expect(
      [...found].filter(path => !known.has(path)),
      'screens that src/screens.ts does not list',
    ).toEqual([]);
    await router.close();
    await pms.stop();
  });

/** An import with groups, skipped visitors and unknown columns. */
async function uploadedImport(operator: Operator, location: string): Promise<string> {
  const form = new FormData();
  form.set('location_id', location);
  const lines = ['Username,Password,Group,Company', 'ada.deniz,secret-1,students,Acme', 'bora.kaya,,students,Acme'];
  form.set('file', new Blob([lines.join('\n')]), 'users.csv');
  return (await operator.call<{ data: { id: string } }>('POST', 'panel/client-import', form)).data.id;
}

test('empty lists @phone', async ({ page, operator }, { project }) => {
  // Their colours are those of the full lists.
  const sweep = { ...sweepOf(project.name), dark: false };
  await enterPanel(page, { token: operator.token, language: sweep.language });
  await page.addInitScript(axeProgram);
  const { data } = await operator.call<{ data: { id: string } }>('POST', 'panel/location', { name: 'Boş' });
  await operator.call('POST', `panel/user/team/change/${data.id}`, {});
  const things = {
    location: data.id,
    device: '',
    portal: '',
    survey: '',
    visitor: '',
    batch: '',
    webhook: '',
    import: '',
    gateway: '',
    hotel: '',
  };
  const lists = screens.filter(each => each.list);
  for (const [index, screen] of lists.entries()) {
    await open(page, screen, { sweep, things, before: lists[index - 1] });
    await expectSound(page, sweep);
  }
});

test('records that are not there', async ({ page, operator }) => {
  const words = await enterPanel(page, { token: operator.token, language: 'en' });
  const missing = '00000000-0000-4000-8000-000000000000';
  const parents: Record<string, string> = {
    [`/devices/${missing}`]: '/devices',
    [`/devices/${missing}/macs`]: '/devices',
    [`/visitors/${missing}`]: '/visitors',
    [`/visitors/import/${missing}`]: '/visitors/import',
    [`/vouchers/${missing}`]: '/vouchers',
    [`/portals/${missing}/edit`]: '/portals',
    [`/locations/${missing}/edit`]: '/locations',
    [`/locations/${missing}/edit/sessions`]: '/locations',
    [`/locations/${missing}/edit/users`]: '/locations',
    [`/integrations/${missing}/edit`]: '/integrations',
  };
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  for (const [path, parent] of Object.entries(parents)) {
    await follow(page, path);
    await expect(page.getByRole('heading', { level: 1, name: words.control.notFound }), path).toBeVisible();
    await expect(page, path).toHaveTitle(words.control.notFound);
    await expect(page.getByRole('alert').getByRole('link'), path).toHaveAttribute('href', parent);
  }
});
