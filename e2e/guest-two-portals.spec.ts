import { joinNetwork } from './src/guest.ts';
import { makeTenant } from './src/tenants.ts';
import { expect, test } from './src/test.ts';
import { makeVenue, openRouter } from './src/venue.ts';

/** A phone visits the venues of two tenants: neither portal knows anything of the other visit. */

for (const script of [true, false])
  test(`one browser visits the portals of two tenants (${script ? 'with' : 'without'} script)`, async ({
    browser,
    operator,
    product,
  }) => {
    const others = await makeTenant(product);
    const hotel = await makeVenue(operator, 'Otel Kuğu');
    const cafe = await makeVenue(others, 'Kafe Leylek');
    const routers = [await openRouter(product, hotel.device), await openRouter(product, cafe.device)] as const;
    const first = await joinNetwork(browser, routers[0], { language: 'en', script });
    const storage = () => first.page.context().storageState();
    await first.open();
    await first.signIn(hotel.visitor);
    await first.expectOnline();
    await expect(first.page.locator('main')).toContainText('Otel Kuğu');

    // The same browser, with its cookies, in the other network.
    const { mac } = first.device;
    const second = await joinNetwork(browser, routers[1], {
      ...{ language: 'en', script, mac },
      phone: { storageState: await storage() },
    });
    await second.open();
    await expect(second.page.getByRole('button', { name: second.words.connect })).toBeVisible();
    await expect(second.page.locator('main')).not.toContainText('Otel Kuğu');
    // The second tenant does not know the account of the first.
    await second.signIn(hotel.visitor);
    await expect(second.page.getByRole('alert')).toContainText(second.words.wrong);
    await second.signIn(cafe.visitor);
    await second.expectOnline();
    await expect(second.page.locator('main')).toContainText('Kafe Leylek');
    await second.page.getByRole('link', { name: 'My data' }).click();
    await expect(second.page.getByRole('heading', { name: 'My data' })).toBeVisible();
    await expect(second.page.locator('main')).not.toContainText('Otel Kuğu');
    await second.page.goBack();
    await second.page.getByRole('button', { name: second.words.logOut }).click();
    await expect(second.page.getByRole('heading', { name: second.words.loggedOut })).toBeVisible();
    await expect.poll(() => routers[1].session(mac)).toBeUndefined();

    // Back in the first network, with what the browser has kept at the second venue.
    const third = await joinNetwork(browser, routers[0], {
      ...{ language: 'en', script, mac },
      phone: { storageState: await second.page.context().storageState() },
    });
    await third.page.goto(first.page.url());
    await third.expectOnline();
    await expect(third.page.locator('main')).toContainText('Otel Kuğu');
    for (const it of [first, second, third]) await it.close();
    for (const it of routers) await it.close();
  });
