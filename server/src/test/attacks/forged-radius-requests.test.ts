import { createHash } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { attribute } from '@portico/radius/attributes.ts';
import { openClient } from '@portico/radius/client.ts';
import { encodeRequest, octets, text } from '@portico/radius/encode.ts';
import { hidePassword } from '@portico/radius/password.ts';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeDevice, until } from '#features/logs/testing/fixture.ts';
import { registry } from '#lib/metrics.ts';
import { startApi, type TestApi } from '#test/harness.ts';
import { startRadius } from '../../services/radius.ts';

/* A stranger sends Access-Requests in the name of a router without its secret, with chosen names, MACs and addresses. */
const router = '127.0.0.1';
const stranger = '127.66.6.6';
const secret = Buffer.from('a secret of the router');

let api: TestApi;
let device: Awaited<ReturnType<typeof makeDevice>>;
let radius: Awaited<ReturnType<typeof startRadius>>;
beforeAll(async () => {
  api = await startApi({ UDP_HOST: '0.0.0.0' });
  const { token } = await api.user('tenant-admin');
  const location = await api.location(token, 'Otel');
  device = await makeDevice(api, { nas: 'forge0002a', location, address: router });
  const kept = api.app.secrets.encrypt(secret.toString());
  await api.inTenant(tx => tx.run(sql`update devices set secret = ${kept} where id = ${device.id}`));
  const settings = { ...api.app.settings, RADIUS_AUTH_PORT: 0, RADIUS_ACCT_PORT: 0 };
  radius = await startRadius({ ...api.app, settings }, { seenEveryMs: 0 });
});
afterAll(() => radius?.stop());

/** An Access-Request without Message-Authenticator, as older routers send it. */
const request = (n: number, by: Buffer): Buffer => {
  const authenticator = Buffer.alloc(16, n);
  const full = encodeRequest({
    ...{ code: 1, id: n, authenticator, secret: by },
    attributes: [
      text(attribute['NAS-Identifier'], device.nas),
      text(attribute['User-Name'], `kurban${n}`),
      octets(attribute['User-Password'], hidePassword('a guess', by, authenticator)),
      text(attribute['Calling-Station-Id'], `A0:00:00:00:00:${(n % 90) + 10}`),
    ],
  });
  const bare = Buffer.concat([full.subarray(0, 20), full.subarray(38)]);
  bare.writeUInt16BE(bare.length, 2);
  return bare;
};
const send = async (from: string, packets: readonly Buffer[]): Promise<void> => {
  const socket = createSocket('udp4');
  let answers = 0;
  socket.on('message', () => answers++);
  await new Promise<void>(resolve => socket.bind(0, from, resolve));
  for (const packet of packets)
    await new Promise<void>(resolve => socket.send(packet, radius.authPort, '127.0.0.1', () => resolve()));
  await until(() => answers === packets.length);
  await new Promise<void>(resolve => socket.close(() => resolve()));
};
const failures = () =>
  api.inTenant(async tx => (await tx.one<{ n: number }>(sql`select count(*) as n from failed_logins`)).n);
const unproven = async (): Promise<number> =>
  (await registry.getSingleMetric('portico_radius_unproven_total')?.get())?.values[0]?.value ?? 0;

describe('an Access-Request without Message-Authenticator', () => {
  test('from a stranger writes no row and is counted', async () => {
    const before = await unproven();
    await send(
      stranger,
      Array.from({ length: 50 }, (_, n) => request(n, Buffer.from('wrong secret'))),
    );
    expect(await failures()).toBe(0);
    expect((await unproven()) - before).toBe(50);
  });

  test('from the proven address of its device is recorded when it fails', async () => {
    await send(router, [request(100, secret)]);
    expect(await failures()).toBe(1);
  });

  test('is refused once the router has polled with a version that always sends one', async () => {
    const token = 'a-token-of-the-router-0123456789';
    const hash = createHash('sha256').update(token).digest('hex');
    await api.inTenant(tx =>
      tx.run(sql`update devices set poll_tokens = array[decode(${hash}, 'hex')] where id = ${device.id}`),
    );
    const poll = (version: string) =>
      api.get(`device/poll/${device.nas}?version=${version}`, { headers: { 'x-portico-token': token } });
    const demanded = () =>
      api.inTenant(tx =>
        tx.one<{ message_authenticator: boolean }>(
          sql`select message_authenticator from devices where id = ${device.id}`,
        ),
      );
    expect((await poll('7.14.3')).status).toBe(200);
    expect(await demanded()).toEqual({ message_authenticator: false });
    expect((await poll('7.15')).status).toBe(200);
    expect(await demanded()).toEqual({ message_authenticator: true });
    // With one it is answered as before, from each address.
    const client = openClient({ host: '127.0.0.1', port: radius.authPort, from: stranger, secret, timeoutMs: 2000 });
    const attributes = [text(attribute['NAS-Identifier'], device.nas), text(attribute['User-Name'], 'kurban')];
    expect(await client.send({ code: 1, attributes, password: 'a guess' })).toBeDefined();
    client.close();
    expect(await failures()).toBe(2);
  });
});
