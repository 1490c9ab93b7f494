import { acctStatusType, attribute, code } from '@portico/radius/attributes.ts';
import { openClient } from '@portico/radius/client.ts';
import { integer, text } from '@portico/radius/encode.ts';
import sql from 'sql-template-tag';
import { expect, onTestFinished, test } from 'vitest';
import { startRadiusVenue } from '../test/radius-venue.ts';

const { api, radius, token, location_id, addDevice } = await startRadiusVenue();
const days = () =>
  api.app.db.withSystem(tx =>
    tx.many<{ day: string; hour: number; upload: number }>(
      sql`select day::text, hour, upload::int from session_hours where upload > 0 order by day, hour`,
    ),
  );
/** The day and the hour now, on the clocks of a zone. */
const clock = (timeZone: string) => {
  const parts = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(new Date());
  return { day: parts.slice(0, 10), hour: Number(parts.slice(11, 13)) };
};
const change = async (time_zone: string) =>
  expect((await api.put(`panel/location/${location_id}`, { token, body: { time_zone } })).status).toBe(200);

test('use after a change of the time zone counts to the day and hour of the new zone, while accounting goes on', async () => {
  const device = await addDevice();
  const router = openClient({
    ...{ host: '127.0.0.1', port: radius.acctPort, secret: Buffer.from(device.secret), timeoutMs: 10_000 },
  });
  onTestFinished(() => router.close());
  const report = async (status: number, guest: number, upload: number, seconds: number) => {
    const attributes = [
      text(attribute['NAS-Identifier'], device.nas_identifier),
      text(attribute['User-Name'], 'ayse'),
      text(attribute['Calling-Station-Id'], `02-00-00-00-01-${guest}`),
      integer(attribute['Acct-Status-Type'], status),
      text(attribute['Acct-Session-Id'], `zone-${guest}`),
      integer(attribute['Acct-Session-Time'], seconds),
      integer(attribute['Acct-Input-Octets'], upload),
      integer(attribute['Acct-Output-Octets'], 0),
    ];
    expect(await router.send({ code: code['Accounting-Request'], attributes })).toBeTruthy();
  };
  // A day apart, so that no day has use of both.
  const [west, east] = ['Pacific/Pago_Pago', 'Pacific/Kiritimati'];
  await change(west);
  const before = clock(west);
  await report(acctStatusType.Start, 31, 0, 0);
  await report(acctStatusType['Interim-Update'], 31, 100, 1);
  // Reports of other guests go on meanwhile: none is lost, and none waits for the change for ever.
  const guests = Array.from({ length: 20 }, (_, n) => 40 + n);
  const [, ...answers] = await Promise.all([
    change(east),
    ...guests.map(guest => report(acctStatusType.Start, guest, 0, 0)),
  ]);
  expect(answers).toHaveLength(20);
  const after = clock(east);
  await report(acctStatusType['Interim-Update'], 31, 250, 2);
  await report(acctStatusType.Stop, 31, 300, 3);
  await expect.poll(days).toEqual([
    { ...before, upload: 100 },
    { ...after, upload: 200 },
  ]);
});
