import { mailed } from './src/mail.ts';
import { callApi, tokenOf } from './src/operator.ts';
import { enterPanel } from './src/panel.ts';
import { expect, test } from './src/test.ts';
import { makeVenue, randomMac } from './src/venue.ts';

test('notices that the reader has not seen yet are not marked as read', async ({ page, operator }) => {
  await enterPanel(page, { token: operator.token, language: 'en' });
  await makeVenue(operator);
  // The bell reads the newest notices, and the page its own list.
  const latest = Promise.withResolvers<void>();
  const notice = {
    id: '00000000-0000-7000-8000-000000000001',
    ...{ kind: 'license_over', title: 'The licence of Otel has ended', body: '', data: {}, location_id: null },
    ...{ location_ids: [], device_id: null, devices: 1, read_at: null, created_at: new Date().toISOString() },
  };
  const meta = { current_page: 1, last_page: 1, per_page: 12, from: 1, to: 1, total: 1, unread: 1 };
  await page.route(/\/v1\/panel\/notification\?/, async route => {
    if (route.request().url().includes('per_page=12')) await latest.promise;
    await route.fulfill({ json: { data: [notice], meta } });
  });
  const asked: string[] = [];
  await page.route(/\/v1\/panel\/notification\/read-all/, route => {
    asked.push(new URL(route.request().url()).search);
    return route.fulfill({ status: 204 });
  });
  await page.goto('/notifications');
  const all = page.getByRole('button', { name: 'Mark all as read' });
  await expect(page.getByRole('link', { name: notice.title }).or(page.getByText(notice.title)).first()).toBeVisible();
  await expect(all).toBeDisabled();
  latest.resolve();
  await all.click();
  await expect.poll(() => asked).toEqual([`?until=${notice.id}`]);
});

type Me = { data: { active_location: { id: string } } };

const texts = {
  tr: { change: 'Lokasyonu değiştir', unnamed: 'Bu bağlantı başka bir lokasyon için', notFound: 'Bulunamadı' },
  en: { change: 'Change location', unnamed: 'This link leads to another location', notFound: 'Not found' },
};

for (const language of ['tr', 'en'] as const)
  test(`a member opens the notice of another location, also in a new tab (${language})`, async ({
    page,
    operator,
    product,
  }) => {
    const say = texts[language];
    const other = await makeVenue(operator);
    const here = await makeVenue(operator);
    const member = {
      email: `iki-${randomMac().replaceAll(':', '')}@example.com`.toLowerCase(),
      password: 'gizli-parola',
    };
    const invite = (id: string) =>
      operator.call('POST', `panel/location/${id}/user`, { email: member.email, permissions: ['update-location'] });
    await invite(other.locationId);
    const invite_token = await mailed(product, member.email, /invitation\/accept\/([\w-]+)/);
    const names = { first_name: 'Ece', last_name: 'İki', phone_number: '+905301112233' };
    await callApi(product, { method: 'POST', path: 'user/register', body: { ...names, ...member, invite_token } });
    const token = await tokenOf(product, member);
    const call = <Answer>(method: string, path: string) =>
      callApi<Answer>(product, { method, path, body: undefined, token });
    await invite(here.locationId);
    const { data: own } = await call<{ data: { id: string }[] }>('GET', 'panel/user/invites');
    await call('POST', `panel/user/invite/accept/${own[0]?.id}`);
    const work = (id: string) => call('POST', `panel/user/team/change/${id}`);
    await work(here.locationId);
    for (const change of ['suspend', 'resume'])
      await operator.call('POST', `panel/location/${other.locationId}/${change}`);

    await enterPanel(page, { token, language });
    const place = `${product.panel}/locations/${other.locationId}/edit`;
    const notice = (on = page) => on.getByRole('main').getByRole('link', { name: other.name }).first();
    const name = (on = page) => on.getByRole('textbox', { name: language === 'tr' ? /^Ad( |$)/ : /^Name/ }).first();
    for (const modifiers of [[], ['ControlOrMeta' as const]]) {
      await work(here.locationId);
      await page.goto('/notifications');
      const opened = modifiers.length > 0 ? page.context().waitForEvent('page') : Promise.resolve(page);
      await notice().click({ modifiers });
      const tab = await opened;
      // A link of any page could lead here. Only the press on the notice itself needs no question.
      if (tab !== page) {
        await expect(tab.getByText(other.name)).toBeVisible();
        expect((await call<Me>('GET', 'panel/user/me')).data.active_location.id).toBe(here.locationId);
        await tab.getByRole('button', { name: say.change }).click();
      }
      await expect(tab).toHaveURL(place);
      await expect(name(tab)).toHaveValue(other.name);
    }

    // A location that is not the member's, and an address that leads elsewhere.
    await page.goto(`/notifications/open?location=${here.device.id}&to=/devices`);
    await expect(page.getByText(say.unnamed)).toBeVisible();
    await page.getByRole('button', { name: say.change }).click();
    await expect(page.getByRole('heading', { name: say.notFound })).toBeVisible();
    await page.goto(`/notifications/open?location=${other.locationId}&to=https://example.com/`);
    await expect(page).toHaveURL(`${product.panel}/`);
  });
