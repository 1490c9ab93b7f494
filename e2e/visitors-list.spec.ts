import { measureEffort } from './src/effort.ts';
import { enterPanel } from './src/panel.ts';
import { expect, expectAccessible, test } from './src/test.ts';
import { makeVenue, openRouter, randomMac } from './src/venue.ts';

test('the list of visitors shows who is online; a row’s menu pauses, resumes and extends @phone', async ({
  page,
  operator,
  product,
}) => {
  await enterPanel(page, { token: operator.token, language: 'en' });
  const { device, visitor } = await makeVenue(operator);
  const router = await openRouter(product, device);
  try {
    await page.goto('/visitors');
    const row = page.getByRole('row').filter({ hasText: visitor.username });
    await expect(row).toContainText('Active');
    await expect(row).toContainText('Never');
    await router.signIn(router.lease({ mac: randomMac() }), visitor.username, visitor.password);
    await router.settled();
    await expect(row).toContainText('Online');
    await expectAccessible(page);

    const choose = async (action: string) => {
      await row.getByRole('button', { name: /^Actions/ }).click();
      await page.getByRole('menuitem', { name: action }).click();
    };
    const dialog = page.getByRole('dialog');
    await choose('Pause');
    await expect(row).toContainText('Paused');
    await router.settled();
    await expect(row).not.toContainText('Online');
    await choose('Resume');
    await expect(row).toContainText('Active');

    await choose('Extend');
    await dialog.getByText('Until', { exact: false }).first().click();
    await dialog.getByLabel('Valid until').fill('2031-03-10T12:00');
    await dialog.getByRole('button', { name: 'Extend' }).click();
    await expect(dialog).toBeHidden();
    await expect(row).toContainText('10 Mar 2031, 12:00');
  } finally {
    await router.close();
  }
});

test('visitors are ordered, selected and paused together, and the view is kept @phone', async ({ page, operator }, {
  project,
}) => {
  await enterPanel(page, { token: operator.token, language: 'en' });
  const { locationId, profileId } = await makeVenue(operator);
  for (const name of ['Berna', 'Çetin', 'Deniz'])
    await operator.call('POST', 'panel/client', {
      name,
      location_id: locationId,
      profile_id: profileId,
      provider_type: 'username',
      username: `grup-${name}`,
      password: 'secret-1',
    });
  await page.goto('/visitors?search=grup-');
  const rows = page.getByRole('row').filter({ hasText: /Berna|Çetin|Deniz/ });
  await expect(rows).toHaveText([/Deniz/, /Çetin/, /Berna/]);
  if (project.name === 'desktop') {
    await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click();
    await expect(rows).toHaveText([/Berna/, /Çetin/, /Deniz/]);
  }

  const { click, sum } = measureEffort();
  await click(page.getByRole('checkbox', { name: 'Select Berna' }));
  await click(page.getByRole('checkbox', { name: 'Select Deniz' }));
  const bar = page.getByRole('region', { name: 'Selection' });
  await expect(bar).toContainText('2 selected');
  await expectAccessible(page);
  await click(bar.getByRole('button', { name: 'Pause' }));
  await click(page.getByRole('dialog').getByRole('button', { name: 'Pause 2 visitors' }));
  await expect(bar).toBeHidden();
  await expect(rows.filter({ hasText: 'Paused' })).toHaveText([/Berna|Deniz/, /Berna|Deniz/]);
  expect(sum().clicks).toBe(4);

  // A view keeps the filter and the columns under a name.
  await page.getByRole('button', { name: 'Status', exact: true }).click();
  await page.getByRole('checkbox', { name: 'Paused' }).check();
  await expect(rows).toHaveCount(2);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'View', exact: true }).click();
  const view = page.getByRole('dialog', { name: 'View' });
  await expectAccessible(page);
  await view.getByLabel('Name of this view').fill('Paused guests');
  await view.getByText('Location', { exact: true }).click();
  await view.getByRole('checkbox', { name: 'Sign-in method' }).uncheck();
  await view.getByRole('button', { name: 'Save' }).click();
  await expect(view.getByRole('button', { name: 'Paused guests Location', exact: true })).toBeVisible();
  await expectAccessible(page);
  await view.getByRole('checkbox', { name: 'Sign-in method' }).check();
  // Another browser has no columns of its own.
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage)) if (key.startsWith('portico.table.')) localStorage.removeItem(key);
  });
  await page.goto('/visitors');
  await page.getByRole('button', { name: 'View', exact: true }).click();
  await view.getByRole('button', { name: 'Paused guests Location', exact: true }).click();
  await expect(rows).toHaveCount(2);
  await expect(page.getByRole('columnheader', { name: 'Sign-in method' })).toHaveCount(0);

  await page
    .getByRole('checkbox', { name: /Select (Berna|Deniz)/ })
    .first()
    .check();
  await bar.getByRole('button', { name: 'Move' }).click();
  const move = page.getByRole('dialog', { name: 'Move 1 visitor' });
  await expect(move.getByRole('combobox', { name: 'Session profile' }), 'the profile stays').toHaveValue('Standart');
  await expectAccessible(page);
  await move.getByRole('button', { name: 'Move', exact: true }).click();
  await expect(move.getByText(/^None of these visitors can/)).toBeVisible();
  await expect(page.getByRole('option').first(), 'no options cover the message').toBeHidden();
  await move.getByRole('button', { name: 'Cancel' }).click();
  await bar.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete 1 visitor' }).click();
  await expect(rows).toHaveCount(1);
});

test('all visitors that match are selected at once; one deleted meanwhile stops the action, and says why', async ({
  page,
  operator,
}) => {
  await enterPanel(page, { token: operator.token, language: 'en' });
  const { locationId } = await makeVenue(operator);
  const body = { location_id: locationId, provider_type: 'username', name: 'Toplu', total_user: 17 };
  const { data } = await operator.call<{ data: { id: string; username: string }[] }>('POST', 'panel/client/bulk', body);
  await page.goto('/visitors?search=toplu');
  const bar = page.getByRole('region', { name: 'Selection' });
  const pauseAll = async () => {
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await bar.getByRole('button', { name: /^Select all/ }).click();
    await expect(bar).toContainText('16 selected');
    await bar.getByRole('button', { name: 'Pause' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Pause/ })
      .click();
  };
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await expect(bar).toContainText('15 selected');
  await bar.getByRole('button', { name: 'Select all 17' }).press('Enter');
  await expect(bar).toContainText('17 selected');
  await expect(bar, 'the button took no focus with it').toBeFocused();
  await expect(bar.getByRole('button', { name: /^Select all/ })).toBeHidden();
  await expectAccessible(page);
  await bar.getByRole('button', { name: 'Clear selection' }).click();

  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await bar.getByRole('button', { name: 'Select all 17' }).click();
  await expect(bar).toContainText('17 selected');
  await operator.call('DELETE', `panel/client/${data[0]?.id}`);
  await bar.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Pause 17 visitors' }).click();
  await expect(page.getByText('One of these was deleted meanwhile')).toBeVisible();
  await expect(bar).toBeHidden();
  await expect(page.getByRole('row').filter({ hasText: 'Paused' })).toHaveCount(0);
  await pauseAll();
  await expect(page.getByText('16 visitors paused')).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: 'Paused' })).toHaveCount(15);
});

test('“Select all” replaces the selection; a late answer changes nothing', async ({ page, operator }) => {
  await enterPanel(page, { token: operator.token, language: 'en' });
  const { locationId } = await makeVenue(operator);
  const add = (name: string, total_user: number) =>
    operator.call('POST', 'panel/client/bulk', {
      location_id: locationId,
      provider_type: 'username',
      name,
      total_user,
    });
  await add('Eski', 3);
  await add('Toplu', 17);
  const bar = page.getByRole('region', { name: 'Selection' });
  const search = page
    .getByRole('searchbox')
    .or(page.getByPlaceholder(/Search/))
    .last();
  const wholePage = page.getByRole('checkbox', { name: 'Select all on this page' });
  const every = bar.getByRole('button', { name: 'Select all 17' });
  const rows = page.getByRole('row');
  const filterTo = async (text: string, count: number) => {
    await search.fill(text);
    await expect(rows.filter({ hasText: text })).toHaveCount(count);
  };

  await page.goto('/visitors?search=Eski');
  await expect(rows.filter({ hasText: 'Eski' })).toHaveCount(3);
  await wholePage.check();
  await filterTo('Toplu', 15);
  await expect(every, 'no row of this page is selected').toBeHidden();
  await wholePage.check();
  await expect(bar).toContainText('18 selected');
  await every.click();
  await expect(bar).toContainText('17 selected');
  await bar.getByRole('button', { name: 'Clear selection' }).click();

  let answer = () => {};
  await page.route(/per_page=1000/, async route => {
    await new Promise<void>(resolve => {
      answer = resolve;
    });
    await route.continue();
  });
  const late = async () => {
    const answered = page.waitForResponse(/per_page=1000/);
    answer();
    await (await answered).finished();
  };
  const ask = async () => {
    const asked = page.waitForRequest(/per_page=1000/);
    await every.click();
    await asked;
  };
  await wholePage.check();
  await ask();
  await expect(bar.getByRole('button', { name: 'Delete' })).toBeDisabled();
  await bar.getByRole('button', { name: 'Clear selection' }).click();
  await late();
  await wholePage.check();
  await expect(bar, 'the answer of before').toContainText('15 selected');

  await ask();
  await filterTo('Eski', 3);
  await late();
  await wholePage.check();
  await expect(bar, 'the answer of another filter').toContainText('18 selected');
  await expect(bar.getByRole('button', { name: 'Delete' })).toBeEnabled();

  // More rows than one action takes.
  await page.unrouteAll();
  await page.route(/\/panel\/client\?/, async route => {
    const response = await route.fetch();
    const json = await response.json();
    await route.fulfill({ response, json: { ...json, meta: { ...json.meta, total: 1500 } } });
  });
  await page.goto('/visitors?search=Toplu');
  await wholePage.check();
  const asked = page.waitForRequest(/per_page=1000/);
  await bar.getByRole('button', { name: 'Select the first 1,000' }).click();
  await asked;
  await expect(bar, 'all that the server gave').toContainText('17 selected');
  // An event of another journey may make the page ask again.
  await page.unrouteAll({ behavior: 'wait' });
});

test('keys lead from anywhere to the search of a list, through its rows, and back', async ({ page, operator }) => {
  await enterPanel(page, { token: operator.token, language: 'en' });
  const { locationId, profileId } = await makeVenue(operator);
  for (const name of ['Asya', 'Barlas'])
    await operator.call('POST', 'panel/client', {
      name: `Tuş ${name}`,
      location_id: locationId,
      profile_id: profileId,
      provider_type: 'username',
      username: `tus-${name}`,
      password: 'secret-1',
    });
  await page.goto('/visitors?sort=name&order=asc&search=tus-');
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  const first = row('Tuş Asya').getByRole('button', { name: 'Tuş Asya', exact: true });
  const second = row('Tuş Barlas').getByRole('button', { name: 'Tuş Barlas', exact: true });
  const search = page.getByRole('search').getByRole('textbox');
  await expect(second).toBeVisible();
  // The panel loads these keys after the first view.
  await expect(async () => {
    await page.keyboard.press('Control+/');
    await expect(search).toBeFocused({ timeout: 100 });
  }).toPass();
  // AltGr on Windows, which types.
  await second.focus();
  await page.keyboard.press('Control+Alt+/');
  await expect(search).not.toBeFocused();
  await page.keyboard.press('Control+/');
  await expect(search).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(first).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(second).toBeFocused();
  // The last row.
  await page.keyboard.press('ArrowDown');
  await expect(second).toBeFocused();
  // Boxes lead to boxes, menus to menus.
  await row('Tuş Barlas').getByRole('checkbox').focus();
  await page.keyboard.press('ArrowUp');
  await expect(row('Tuş Asya').getByRole('checkbox')).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(search).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Tuş Asya');
});
