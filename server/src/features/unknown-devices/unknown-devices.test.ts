import { attribute, code } from '@portico/radius/attributes.ts';
import { openClient } from '@portico/radius/client.ts';
import { text } from '@portico/radius/encode.ts';
import sql from 'sql-template-tag';
import { describe, expect, onTestFinished, test } from 'vitest';
import { commands } from '../../cli-commands.ts';
import { runJob } from '../../services/jobs.ts';
import type { Body } from '../../test/harness.ts';
import { ayse, startRadiusVenue } from '../../test/radius-venue.ts';
import { unknownDeviceHandlers, unknownDeviceJobs } from './public.ts';

const { api, token, location_id, radius, addDevice } = await startRadiusVenue(
  { TRUST_PROXY: '127.0.0.1' },
  { seenEveryMs: 0 },
);
const elsewhere = { token: (await api.user('tenant-admin', { tenant: 'elsewhere' })).token, tenant: 'elsewhere' };

/** All of 127/8 is this machine. */
let addresses = 0;
const newAddress = (): string => `127.44.${++addresses}.1`;

/** Sends a sign-in that names a device, or none, from an address. */
async function speak(from: string, nas: string | undefined, secret = 'a secret of its own', timeoutMs = 60) {
  const client = openClient({
    // Once: the packets are counted.
    ...{ host: '127.0.0.1', port: radius.authPort, from, secret: Buffer.from(secret), timeoutMs, attempts: 1 },
    requireMessageAuthenticator: true,
  });
  onTestFinished(() => client.close());
  return client.send({
    code: code['Access-Request'],
    attributes: [
      ...(nas === undefined ? [] : [text(attribute['NAS-Identifier'], nas)]),
      text(attribute['User-Name'], ayse.username),
      text(attribute['Calling-Station-Id'], 'A0-00-00-00-00-01'),
    ],
    password: ayse.password,
  });
}
/** A device that has proven an address. */
async function provenAt(address: string): Promise<Body> {
  const device = await addDevice();
  expect((await speak(address, device.nas_identifier, device.secret, 30_000))?.code).toBe(code['Access-Accept']);
  await expect
    .poll(async () => (await api.get(`panel/device/${device.id}/log-sources`, { token })).body.data.trusted.length)
    .toBe(1);
  return device;
}
const list = async (ask: object = { token }): Promise<Body[]> => {
  const answer = await api.get('panel/unknown-device', ask);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data;
};
const named = async (name: string, ask?: object) => (await list(ask)).filter(it => it.nas_identifier === name);
const stored = () =>
  api.app.db.withSystem(tx =>
    tx.many<{ source: string; nas_identifier: string; tenant_id: string | null }>(
      sql`select host(source) as source, nas_identifier, tenant_id from unknown_devices`,
    ),
  );
/** Packets that the listener reported, from addresses that this machine does not have. */
const reported = (of: { from: string; nas: string; packets?: number; at?: Date }[]) =>
  unknownDeviceHandlers(api.app).unknownDevices(
    of.map(({ from, nas, packets = 1, at = new Date() }) => ({
      ...{ sourceIp: from, nasIdentifier: nas, proxy: undefined, packets, firstAt: at, lastAt: at },
    })),
  );

describe('an unknown device', () => {
  test('is shown to the tenant whose device has proven its address, and to no other', async () => {
    const address = newAddress();
    await speak(address, 'MikroTik-A');
    await expect.poll(async () => (await stored()).map(it => it.nas_identifier)).toContain('MikroTik-A');
    expect(await named('MikroTik-A'), 'no device has proven the address yet').toEqual([]);
    const device = await provenAt(address);
    expect(await named('MikroTik-A')).toMatchObject([
      { address, seen_by: 'device', device: { id: device.id, name: device.name }, proxy: null, packets: 1 },
    ]);
    expect(await list(elsewhere)).toEqual([]);
    const member = await api.user('member', { location: location_id, permissions: ['store-devices'] });
    expect(await named('MikroTik-A', member)).toHaveLength(1);
    const other = await api.location(token, 'Şube');
    expect(await list(await api.user('member', { location: other, permissions: ['store-devices'] }))).toEqual([]);
    const limited = { location: location_id, permissions: ['store-devices'], deviceIds: [(await addDevice()).id] };
    expect(await list(await api.user('member', limited))).toEqual([]);
    const powerless = await api.user('member', { location: location_id, permissions: ['view-devices'] });
    expect((await api.get('panel/unknown-device', powerless)).status).toBe(403);
  });

  test('is shown with the brand and the MAC that its name tells', async () => {
    const names = {
      'MikroTik lobby': ['mikrotik', null],
      nas01: ['coovachilli', null],
      'CaptivePortal-guest': ['pfsense', null],
      FGT60FTK20001234: ['fortigate', null],
      '9C-1C-12-CB-A2-90:Guest': [null, '9C:1C:12:CB:A2:90'],
      '9c1c12cba291': [null, '9C:1C:12:CB:A2:91'],
      'uamtool 5': [null, null],
    };
    // An address shows five names.
    const addresses = [newAddress(), newAddress()];
    for (const address of addresses) await provenAt(address);
    await reported(Object.keys(names).map((nas, i) => ({ from: addresses[i % 2]!, nas })));
    for (const [nas, told] of Object.entries(names)) {
      const [it] = await named(nas);
      expect([it?.['brand'], it?.['mac_address']], nas).toEqual(told);
    }
  });

  test('that names nothing is shown too', async () => {
    const address = newAddress();
    await provenAt(address);
    await speak(address, undefined);
    await expect
      .poll(async () => (await list()).filter(it => it.address === address))
      .toMatchObject([{ nas_identifier: null, seen_by: 'device' }]);
  });

  test('is hidden from both tenants once two have proven its address', async () => {
    const address = newAddress();
    const device = await provenAt(address);
    await speak(address, 'shared');
    await expect.poll(async () => (await named('shared')).length).toBe(1);
    await api.inTenant(async tx => {
      const theirs = await tx.one<{ id: string }>(sql`
        with l as (insert into locations (id, name, trial_end_at) values (new_id(), 'Komşu', now()) returning id)
        insert into devices (id, location_id, brand_id, name, mac_address, nas_identifier, secret, trial_end_at)
        select new_id(), l.id, (select id from brands limit 1), 'Komşu', '02:00:00:00:09:09', 'neighbour1', 'x', now() from l returning id`);
      await tx.run(sql`insert into log_sources (device_id, network, proof, expires_at)
        values (${theirs.id}, ${address}::inet, 'radius', now() + interval '1 day')`);
    }, 'elsewhere');
    expect(await named('shared')).toEqual([]);
    expect(await named('shared', elsewhere)).toEqual([]);
    expect(device.id).toBeTruthy();
  });

  test('is not shown to a tenant that merely types its address', async () => {
    const address = newAddress();
    await speak(address, 'victim');
    await expect.poll(async () => (await stored()).map(it => it.nas_identifier)).toContain('victim');
    const theirs = await addDevice();
    const body = { address };
    expect((await api.post(`panel/device/${theirs.id}/log-sources`, { token, body })).status).toBe(201);
    const proxy = { name: 'Yalan', address };
    expect((await api.post('panel/radius-proxy', { token, body: proxy })).status).toBe(201);
    await speak(address, 'victim');
    // What comes later is stored later.
    await speak(address, 'after it');
    await expect.poll(async () => (await stored()).map(it => it.nas_identifier)).toContain('after it');
    expect(await named('victim')).toEqual([]);
  });

  test('is gone once it is added, and two hours after its last packet', async () => {
    const address = newAddress();
    const device = await provenAt(address);
    await speak(address, 'fresh-one');
    await expect.poll(async () => (await named('fresh-one')).length).toBe(1);
    const name = (to: string) =>
      api.inTenant(tx => tx.run(sql`update devices set nas_identifier = ${to} where id = ${device.id}`));
    await reported([{ from: address, nas: 'freshone1' }]);
    expect(await named('freshone1')).toHaveLength(1);
    await name('freshone1');
    expect(await named('freshone1')).toEqual([]);
    await name(device.nas_identifier);
    await api.app.db.withSystem(tx =>
      tx.run(
        sql`update unknown_devices set last_at = now() - interval '121 minutes' where nas_identifier = 'fresh-one'`,
      ),
    );
    expect(await named('fresh-one')).toEqual([]);
    for (const job of unknownDeviceJobs) await runJob(api.app, job);
    expect((await stored()).map(it => it.nas_identifier)).not.toContain('fresh-one');
  });

  test('is shown to an operator whose browser is at the same public address', async () => {
    const [from, same, inside] = ['198.51.100.7', '2001:db8:7:7::1', '10.1.2.3'];
    await reported([
      { from, nas: 'at the venue' },
      { from: same, nas: 'at the venue 6' },
      { from: inside, nas: 'inside' },
    ]);
    const at = async (ip: string) =>
      (await list({ token, headers: { 'x-forwarded-for': ip } })).filter(it => it.seen_by === 'caller');
    expect(await at(from)).toMatchObject([{ nas_identifier: 'at the venue', seen_by: 'caller', device: null }]);
    expect(await at('2001:db8:7:7:aaaa::2')).toMatchObject([{ nas_identifier: 'at the venue 6', address: same }]);
    expect(await named('at the venue')).toEqual([]);
    // All callers behind a reverse proxy that is not trusted have its private address.
    expect(await at(inside)).toEqual([]);
  });
});

describe('behind a trusted proxy', () => {
  const proxyAt = async (address: string, more: object = {}) => {
    const answer = await api.post('panel/radius-proxy', { token, body: { name: 'Merkez', address, ...more } });
    expect(answer.status, answer.text).toBe(201);
    return answer.body.data;
  };

  test('is shown to the tenant of the proxy whose secret its packets have', async () => {
    const address = newAddress();
    const proxy = await proxyAt(address);
    const say = async (nas: string, secret: string) => {
      await speak(address, nas, secret);
      return named(nas);
    };
    await expect
      .poll(() => say('behind-it', proxy.secret))
      .toMatchObject([{ address, seen_by: 'proxy', proxy: { id: proxy.id, name: 'Merkez' }, device: null }]);
    // From the same address, with another secret.
    await say('forged', 'not the secret of it');
    await expect.poll(async () => (await stored()).find(it => it.nas_identifier === 'forged')?.tenant_id).toBeNull();
    expect(await named('forged')).toEqual([]);
    expect(await list(elsewhere)).toEqual([]);
    const member = await api.user('member', { location: location_id, permissions: ['store-devices'] });
    expect(await named('behind-it', member), 'the proxy may speak for all locations').toEqual([]);
    await api.put(`panel/radius-proxy/${proxy.id}`, { token, body: { location_ids: [location_id] } });
    expect(await named('behind-it', member)).toHaveLength(1);
    expect((await api.delete(`panel/radius-proxy/${proxy.id}`, { token })).status).toBe(204);
    expect((await stored()).filter(it => it.tenant_id !== null)).toEqual([]);
  });
});

describe('a flood', () => {
  test('of made-up names from one address leaves five of them, and the router that repeats itself', async () => {
    const address = newAddress();
    await provenAt(address);
    for (let i = 0; i < 3; i++) await speak(address, 'real router');
    await Promise.all(Array.from({ length: 60 }, (_, i) => speak(address, `made-up-${i}`)));
    await expect.poll(async () => (await stored()).some(it => it.nas_identifier.startsWith('made-up'))).toBe(true);
    const names = (await list()).filter(it => it.address === address).map(it => it.nas_identifier);
    expect(names.length).toBeLessThanOrEqual(5);
    expect(names).toContain('real router');
  });

  test('from forged sources leaves at most a thousand rows, and is shown to no tenant', async () => {
    const before = (await list()).length;
    for (let part = 0; part < 8; part++)
      await reported(
        Array.from({ length: 200 }, (_, i) => ({ from: `45.${part}.${i}.9`, nas: `forged ${part}-${i}`, packets: 1 })),
      );
    expect((await stored()).filter(it => it.tenant_id === null).length).toBeLessThanOrEqual(1000);
    expect((await list()).filter(it => it.nas_identifier?.startsWith('forged '))).toEqual([]);
    expect((await list()).length).toBeLessThanOrEqual(before);
  });

  test('cannot write control characters, links or long texts on a screen', async () => {
    const address = newAddress();
    await provenAt(address);
    await speak(address, `<b>\u202Ehttp://kötü.example/"\n${'x'.repeat(100)}`);
    await expect
      .poll(async () => (await list()).find(it => it.address === address)?.nas_identifier)
      .toMatch(/^\?b\?\?http:\?\?kötü\.example\?\?\?x+$/);
    expect((await list()).find(it => it.address === address)!.nas_identifier.length).toBeLessThanOrEqual(64);
  });

  test('sends no notice', async () => {
    const heard: string[] = [];
    const stop = api.app.changes.subscribe(({ topic }) => heard.push(topic));
    onTestFinished(stop);
    // Notices come in their order. Those of the tests before this one come before the first mark.
    const tenant = await api.tenantId('panel');
    const mark = async () => {
      const notice = JSON.stringify({ tenant, location: null, topic: 'mark' });
      await api.app.db.pool.query(`select pg_notify('portico', $1)`, [notice]);
      await expect.poll(() => heard).toContain('mark');
    };
    await mark();
    heard.length = 0;
    await reported([{ from: '198.51.100.99', nas: 'quiet' }]);
    await mark();
    expect(heard).toEqual(['mark']);
  });
});

test('the operator of the installation lists all of them', async () => {
  await reported([{ from: '198.51.100.200', nas: 'anywhere', packets: 7000 }]);
  const lines: string[] = [];
  expect(await commands['device unknown']!.run!(api.app, {}, line => lines.push(line))).toBe(0);
  expect(lines.find(line => line.includes('anywhere'))).toMatch(/198\.51\.100\.200 {2}anywhere {2}7000 packets$/);
});
