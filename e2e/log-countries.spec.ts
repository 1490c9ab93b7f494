import { createSocket } from 'node:dgram';
import { enterPanel } from './src/panel.ts';
import { expect, expectAccessible, test } from './src/test.ts';
import { addDevice, makeVenue } from './src/venue.ts';

type Popular = { data: { domain: string; total: number }[] };

test('a Firebox known by its serial number shows countries and bytes; without events they appear within a minute', async ({
  page,
  operator,
  product,
}) => {
  const words = await enterPanel(page, { token: operator.token, language: 'tr' });
  const venue = await makeVenue(operator);
  const firebox = await addDevice(operator, { locationId: venue.locationId, brand: 'watchguard' });
  const traffic = [
    { country: 'DEU', app: 'YouTube', bytes: 5_242_880 },
    { country: 'USA', app: 'Netflix', bytes: 1_048_576 },
  ];

  // Without the event stream only the refresh every minute remains.
  await page.route('**/v1/panel/events', route => route.abort());
  await page.clock.install();
  await page.goto(`/devices/${firebox.id}`);
  await expect(page.getByText(words.logs.none)).toBeVisible();

  const socket = createSocket('udp4');
  const send = () => {
    for (const { country, app, bytes } of traffic)
      socket.send(
        `<142>May 10 15:19:06 Firebox ${firebox.serial_number} (2026-05-10T09:49:05) firewall[10]: msg_id="3000-0151" Allow 1-Trusted 0-External tcp 10.0.1.2 198.51.100.5 53018 443 app_name="${app}" duration="80" sent_bytes="0" rcvd_bytes="${bytes}" geo_dst="${country}" (HTTPS-00)`,
        product.syslogPort,
        product.host,
      );
  };
  const known = () => operator.call<Popular>('GET', `panel/device/${firebox.id}/logs/popular_country`);
  await expect(async () => {
    if ((await known()).data.length < 2) send();
    expect((await known()).data.map(each => each.domain)).toEqual(['DE', 'US']);
  }).toPass({ timeout: 90_000, intervals: [2000] });
  socket.close();

  await page.clock.fastForward(61_000);
  const countries = page.getByRole('table', { name: words.logs.countries });
  const germany = countries.getByRole('row', { name: /Almanya/ });
  await expect(germany).toContainText('MB');
  await expect(countries.getByRole('row')).toHaveCount(3);
  await expect(page.getByRole('table', { name: words.logs.applications }).getByRole('row').nth(1)).toContainText(
    'YouTube',
  );
  await expectAccessible(page);
});
