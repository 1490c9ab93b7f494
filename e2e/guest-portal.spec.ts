import type { Request } from '@playwright/test';
import { type Guest, guestWords, joinNetwork, somePage } from './src/guest.ts';
import { expect, expectAccessible, test } from './src/test.ts';
import { hotspotFiles, makeVenue, openRouter, randomMac } from './src/venue.ts';

for (const script of [true, false]) {
  test(`a guest signs in and out, ${script ? 'with' : 'without'} script`, async ({ browser, operator, product }) => {
    const { visitor, device, name } = await makeVenue(operator);
    const files = await hotspotFiles(operator, device.id);
    expect([...files.keys()]).toEqual(['login', 'alogin', 'status', 'logout', 'error']);
    // The address that the script sets is not that of this machine.
    await operator.call('PUT', `panel/device/${device.id}`, { hotspot_address: null });
    const router = await openRouter(product, device, { files });
    const guest = await joinNetwork(browser, router, { script });
    const { page, words } = guest;
    try {
      await guest.open();
      await page.waitForURL(it => it.href.startsWith(`${product.captive}/w/${device.nas_identifier}?`));
      await expect(page.locator('html')).toHaveAttribute('lang', 'tr');
      await expect(page.getByText(name).first()).toBeVisible();
      await expectNoSideways(guest);
      if (script) await expectAccessible(page);

      await guest.signIn({ ...visitor, password: 'yanlış' });
      await expect(page.getByRole('alert')).toContainText(words.wrong);
      await expect(page.getByLabel(words.username), 'the guest need not type the name again').toHaveValue(
        visitor.username,
      );
      await expect(page.getByLabel(words.password, { exact: true })).toHaveValue('');
      await expectNoSideways(guest);
      if (script) await expectAccessible(page);
      expect(router.session(guest.device.mac)).toBeUndefined();

      const ticket = await ticketOf(guest, () => guest.signIn(visitor));
      await guest.expectOnline();
      await expectNoSideways(guest);
      if (script) await expectAccessible(page);
      expect(ticket).not.toContain(visitor.username);

      await page.goto(somePage);
      await expect(page.getByRole('heading', { name: 'The internet' })).toBeVisible();
      const thief = router.lease({ mac: randomMac() });
      expect((await router.signIn(thief, ticket, ticket)).outcome, 'a ticket is good once').toBe('rejected');

      // The router's own pages lead to those of the portal.
      await page.goto(`${router.hotspotUrl}/status`);
      await guest.expectOnline();
      await page.goto(`${router.hotspotUrl}/logout`);
      await expect(page.getByRole('heading', { name: words.loggedOut })).toBeVisible();
      expect(page.url()).toContain(`${product.captive}/w/${device.nas_identifier}?`);
      expect(router.session(guest.device.mac)).toBeUndefined();
    } finally {
      await guest.close();
      await router.close();
    }
  });
}

/** Expects a top-level navigation to the router, without user name and password. */
async function ticketOf({ page }: Guest, act: () => Promise<void>): Promise<string> {
  const isWayBack = (request: Request) => new URL(request.url()).pathname === '/login';
  const [request] = await Promise.all([page.waitForRequest(isWayBack), act()]);
  expect(request.isNavigationRequest() && request.frame() === page.mainFrame()).toBe(true);
  const { searchParams } = new URL(request.url());
  const ticket = searchParams.get('username') ?? '';
  expect(ticket.length).toBeGreaterThan(20);
  expect(searchParams.get('password')).toBe(ticket);
  return ticket;
}

async function expectNoSideways({ page }: Guest): Promise<void> {
  const { width, needed } = await page
    .locator('html')
    .evaluate(html => ({ width: html.clientWidth, needed: html.scrollWidth }));
  expect(needed, `width of ${page.url()}`).toBeLessThanOrEqual(width);
}

test('a guest who cannot reach the router any more sees why, and can try again', async ({
  browser,
  operator,
  product,
}) => {
  const { visitor, device } = await makeVenue(operator);
  const router = await openRouter(product, device);
  const guest = await joinNetwork(browser, router);
  const { page } = guest;
  try {
    await page.clock.install();
    await guest.open();
    // Redirects cannot be held up, so the form itself is: the page cannot tell the difference.
    await page.route(/\/sign-in$/, () => {}, { times: 1 });
    await guest.signIn(visitor);
    // The page waits for 20 seconds.
    await page.clock.fastForward(20_000);
    await expect(page.getByRole('alert')).toContainText('Wi-Fi ağı yanıt vermiyor');
    await expectAccessible(page);
    await guest.signIn(visitor);
    await guest.expectOnline();
    await page.getByRole('button', { name: guest.words.logOut }).click();
    await expect(page.getByRole('heading', { name: 'Oturumunuz kapatıldı' })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Yeniden giriş yap' }).click();
    await expect(page.getByLabel(guest.words.username)).toBeVisible();
  } finally {
    await guest.close();
    await router.close();
  }
});

test('the language can be changed, and Arabic is right-to-left', async ({ browser, operator, product }) => {
  const { visitor, device } = await makeVenue(operator);
  const router = await openRouter(product, device);
  const guest = await joinNetwork(browser, router, { script: false });
  try {
    await guest.open();
    await guest.page.getByRole('button', { name: 'العربية' }).click();
    await expect(guest.page.locator('html')).toHaveAttribute('dir', 'rtl');
    await guest.page.getByRole('button', { name: 'English' }).click();
    await expect(guest.page.locator('html')).toHaveAttribute('lang', 'en');
    await guest.page.getByLabel(guestWords.en.username).fill(visitor.username);
    await guest.page.getByLabel(guestWords.en.password, { exact: true }).fill(visitor.password);
    await guest.page.getByRole('button', { name: guestWords.en.connect }).click();
    await expect(guest.page.getByRole('heading', { name: guestWords.en.online })).toBeVisible();
  } finally {
    await guest.close();
    await router.close();
  }
});

test('the button that shows a password covers none of its letters, in both directions', async ({
  page,
  operator,
  product,
}) => {
  const { device } = await makeVenue(operator);
  const login = encodeURIComponent('http://10.5.50.1/login');
  await page.setViewportSize({ width: 360, height: 740 });
  for (const lang of ['ar', 'tr'] as const) {
    const visit = `mac=${randomMac()}&ip=10.5.50.9&login=${login}&lang=${lang}`;
    await page.goto(`${product.captive}/w/${device.nas_identifier}?${visit}`);
    const field = page.locator('input[name=password]');
    const [input, eye] = await Promise.all([field.boundingBox(), page.locator('.reveal').boundingBox()]);
    const { paddingRight, direction } = await field.evaluate(it => {
      const style = getComputedStyle(it);
      return { paddingRight: Number.parseFloat(style.paddingRight), direction: style.direction };
    });
    expect(direction).toBe('ltr');
    // The letters begin on the left and end before the padding.
    expect(eye!.x + 1, lang).toBeGreaterThanOrEqual(input!.x + input!.width - paddingRight);
  }
});

test('the page keeps room for a logo of any shape that is still loading', async ({ browser, operator, product }) => {
  const venue = await makeVenue(operator);
  const body = new FormData();
  const drawn =
    '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400"><rect width="400" height="400"/></svg>';
  body.set('file', new Blob([drawn], { type: 'image/svg+xml' }), 'logo.svg');
  body.set('collection', 'logo');
  const logo = await operator.call<{ data: { url: string } }>('POST', 'panel/portal/image', body);
  const styles = { logo_type: 'active', portal_logo: logo.data.url };
  await operator.call('PUT', `panel/portal/${venue.portalId}`, { styles });
  const router = await openRouter(product, venue.device);
  const guest = await joinNetwork(browser, router, { language: 'en' });
  const { page } = guest;
  try {
    const { promise: formSeen, resolve: see } = Promise.withResolvers<void>();
    await page.route(/\/uploads\//, async route => {
      await formSeen;
      await route.continue();
    });
    await page.goto(somePage, { waitUntil: 'commit' });
    const title = page.getByRole('heading', { level: 1 });
    await expect(title).toBeVisible();
    const before = (await title.boundingBox())!.y;
    see();
    const picture = page.locator('.brand img');
    await expect.poll(() => picture.evaluate((it: HTMLImageElement) => it.naturalWidth)).toBeGreaterThan(0);
    const moved = Math.abs((await title.boundingBox())!.y - before);
    expect(moved, 'pixels that the title moved').toBeLessThan(1);
  } finally {
    await guest.close();
    await router.close();
  }
});
