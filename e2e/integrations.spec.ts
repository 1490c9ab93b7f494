import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startMariadb } from '../server/src/features/integrations/testing/mariadb.ts';
import { joinNetwork } from './src/guest.ts';
import { enterPanel } from './src/panel.ts';
import { expect, test } from './src/test.ts';
import { makeVenue, openRouter } from './src/venue.ts';

test('a hotel’s database is connected in the wizard, and its guest signs in with the room number', async ({
  browser,
  page,
  operator,
  product,
}) => {
  const hotel = await startMariadb();
  const { device, portalId, name } = await makeVenue(operator);
  const options = { method: 'idNumber' };
  const providers = [{ slug: 'room-number', is_active: true, order: 0, options }];
  await operator.call('PUT', `panel/portal/${portalId}`, { name, providers });
  await hotel.query(`create table hotel.guests (first_name varchar(40), last_name varchar(40), birth_date date,
      check_in datetime, check_out datetime, room_no varchar(10));
    insert into hotel.guests values ('Ada', 'Deniz', '1980-02-01', now() - interval 1 day, now() + interval 2 day, '204')`);

  await enterPanel(page, { token: operator.token, language: 'en' });
  await page.goto(`${product.panel}/integrations`);
  await page.getByRole('button', { name: 'Add integration' }).first().click();
  const wizard = page.getByRole('dialog');
  await wizard.getByText('MySQL / MariaDB').click();
  await wizard.getByRole('button', { name: 'Next' }).click();
  await wizard.getByLabel('Host').fill('127.0.0.1');
  await wizard.getByLabel('Port').fill(String(hotel.port));
  await wizard.getByLabel('Username').fill('pms');
  await wizard.getByLabel('Password', { exact: false }).first().fill('not this');
  await wizard.getByLabel('Database').fill('hotel');
  await wizard.getByLabel('Table or view').fill('guests');
  await wizard.getByRole('button', { name: 'Test connection' }).click();
  await expect(wizard.getByText('The server refused the username or password')).toBeVisible();
  await wizard.getByLabel('Password', { exact: false }).first().fill('pms-parola');
  await wizard.getByRole('button', { name: 'Test connection' }).click();
  // Columns with common names are preselected.
  await expect(wizard.getByText('Example: Ada')).toBeVisible();
  await wizard.getByRole('button', { name: 'Next' }).click();
  await wizard.getByRole('textbox', { name: 'Name', exact: true }).fill('Front office');
  await wizard.getByRole('button', { name: 'Save' }).click();
  await expect(wizard.getByText('“Front office” is connected')).toBeVisible();
  await wizard.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('link', { name: 'Front office' })).toBeVisible();

  // A guest waits six seconds for a read that has begun. On a busy machine the first one may take longer.
  const guests = () => operator.call('GET', 'panel/client?search=Ada');
  await expect.poll(guests, { timeout: 120_000 }).toMatchObject({ data: [{}] });
  const router = await openRouter(product, device);
  const guest = await joinNetwork(browser, router, { language: 'en' });
  try {
    await guest.open();
    await guest.page.getByLabel('Room number').fill('204');
    await guest.page.getByLabel('Date of birth').fill('1980-02-01');
    await guest.page.getByRole('button', { name: guest.words.connect }).click();
    await guest.expectOnline();
  } finally {
    await guest.close();
    await router.close();
    await hotel.stop();
  }
});

test('a webhook receives an event, signed with the secret that was shown once', async ({ page, operator, product }) => {
  const heard: { headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      heard.push({ headers: request.headers, body: Buffer.concat(parts).toString() });
      response.end();
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { device, visitor } = await makeVenue(operator);
  await enterPanel(page, { token: operator.token, language: 'en' });
  await page.goto(`${product.panel}/integrations`);
  await page.getByRole('button', { name: 'Add integration' }).first().click();
  const wizard = page.getByRole('dialog');
  await wizard.locator('label', { hasText: 'Webhook' }).click();
  await wizard.getByRole('button', { name: 'Next' }).click();
  await wizard.getByLabel('URL').fill(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`);
  await wizard.getByRole('button', { name: 'Send test event' }).click();
  await expect(wizard.getByText('The connection works.')).toBeVisible();
  await wizard.getByRole('button', { name: 'Next' }).click();
  await wizard.getByRole('button', { name: 'Save' }).click();
  const secret = await wizard.locator('code').innerText();
  await wizard.getByRole('button', { name: 'Done' }).click();

  const router = await openRouter(product, device);
  const phone = router.lease({ mac: '02:00:00:00:77:01' });
  await router.signIn(phone, visitor.username, visitor.password);
  const online = () => heard.find(it => it.body.includes('guest.online'));
  await expect.poll(() => online() !== undefined).toBe(true);
  const { headers, body } = online()!;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
  expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
  expect(JSON.parse(body).data.visitor.name).toBe('Ayşe Gül Işık');

  await page.getByRole('link', { name: 'Webhook' }).first().click();
  await page.getByRole('link', { name: 'Deliveries' }).click();
  await expect(page.getByText('Guest online')).toBeVisible();
  await expect(page.getByText('Delivered').first()).toBeVisible();
  await router.close();
  server.close();
});
