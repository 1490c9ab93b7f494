import { acctStatusType, attribute, code } from '@portico/radius/attributes.ts';
import { openClient } from '@portico/radius/client.ts';
import { address, integer, octets, text } from '@portico/radius/encode.ts';
import sql from 'sql-template-tag';
import { afterAll, expect, test } from 'vitest';
import { startRadiusVenue } from '../../test/radius-venue.ts';
import { deleteSessions } from './retention.queries.ts';

const { api, token, radius, addDevice } = await startRadiusVenue();
const device = await addDevice();
const router = openClient({
  ...{ host: '127.0.0.1', port: radius.acctPort, secret: Buffer.from(device.secret), timeoutMs: 2000 },
});
afterAll(() => router.close());

/** 2001:db8::5 as sixteen bytes, from its groups. */
const bytes = (groups: string): Buffer =>
  Buffer.from(
    groups
      .split(':')
      .map(it => it.padStart(4, '0'))
      .join(''),
    'hex',
  );
const long = (groups: string): Buffer => octets(attribute['Framed-IPv6-Address'], bytes(groups));
const prefix = (type: number, groups: string, length: number): Buffer =>
  octets(type, Buffer.concat([Buffer.from([0, length]), bytes(groups).subarray(0, Math.ceil(length / 8))]));

const report = async (status: keyof typeof acctStatusType, session: string, ...more: Buffer[]) => {
  const reply = await router.send({
    code: code['Accounting-Request'],
    attributes: [
      text(attribute['NAS-Identifier'], device.nas_identifier),
      octets(attribute['NAS-IPv6-Address'], bytes('2001:db8:0:0:0:0:0:1')),
      text(attribute['User-Name'], 'ayse'),
      text(attribute['Calling-Station-Id'], `A0-00-00-00-00-0${session}`),
      text(attribute['Acct-Session-Id'], session),
      integer(attribute['Acct-Status-Type'], acctStatusType[status]),
      ...more,
    ],
  });
  expect(reply?.code).toBe(code['Accounting-Response']);
};
const online = async (query: string) => (await api.get(`panel/onlines?${query}`, { token })).body.data;
const ask = (body: object) =>
  api.post('panel/reports/who-was-it', { token, body: { at: new Date().toISOString(), reason: 'Dosya 7', ...body } });

test('a guest with IPv4 and IPv6 is one session with both, and is found by either', async () => {
  const own = long('2001:db8:50:0:0:0:0:23');
  await report('Start', '1', address(attribute['Framed-IP-Address'], '10.5.50.23'), own);
  // Another address of the same guest, link-local and multicast ones, a forged larger network, and a delegated prefix.
  await report(
    'Interim-Update',
    '1',
    ...[address(attribute['Framed-IP-Address'], '10.5.50.23'), own, long('2001:db8:50:0:a:b:c:d')],
    ...[
      long('fe80:0:0:0:0:0:0:1'),
      long('ff02:0:0:0:0:0:0:1'),
      prefix(attribute['Framed-IPv6-Prefix'], '0:0:0:0:0:0:0:0', 0),
    ],
    ...[
      octets(attribute['Framed-IPv6-Address'], Buffer.alloc(3)),
      octets(attribute['Delegated-IPv6-Prefix'], Buffer.from([0, 200])),
    ],
    prefix(attribute['Delegated-IPv6-Prefix'], '2001:db8:aa:ffff:0:0:0:0', 56),
  );
  const all = ['2001:db8:50::23', '2001:db8:50:0:a:b:c:d', '2001:db8:aa:ff00::/56'];
  const found = await online('mac=A0:00:00:00:00:01');
  expect(found).toMatchObject([{ client_ip: '10.5.50.23' }]);
  expect(found[0].ipv6.sort()).toEqual([...all].sort());
  for (const part of ['2001:db8:50::23', 'B8:50', '10.5.50', '::ffff:10.5.50.23'])
    expect(await online(`ip=${encodeURIComponent(part)}`), part).toHaveLength(1);
  expect(await online('ip=2001:db8:51::')).toEqual([]);
  expect((await api.get('panel/search?search=2001:db8:aa:ff17::9', { token })).text).toContain('A0:00:00:00:00:01');

  for (const asked of [
    '2001:DB8:50::23',
    '2001:db8:aa:ff01::99',
    '2001:db8:aa:ff00::/56',
    '2001:db8:aa::/48',
    '10.5.50.23',
    '::ffff:10.5.50.23',
  ]) {
    const { matches } = (await ask({ address: asked })).body.data;
    expect(matches, asked).toMatchObject([{ tie: 'address', proof: 'accounting', certain: true }]);
    expect(matches[0].session.ipv6.map((it: { address: string }) => it.address).sort()).toEqual([...all].sort());
  }
  expect((await ask({ address: '2001:db8:ab::1' })).body.data.matches).toEqual([]);
  for (const bad of ['2001:db8::/16', '2001:db8:::1', '10.0.0.0/8'])
    expect(Object.keys((await ask({ address: bad })).body.errors ?? {})).toEqual(['address']);
  expect(
    (
      await api.post('panel/reports/who-was-it/pdf', {
        token,
        body: { address: all[0], at: new Date().toISOString(), reason: 'x' },
      })
    ).status,
  ).toBe(200);
});

test('an address with a zone, as a computer shows its own, is found nowhere', async () => {
  for (const typed of ['fe80::1%eth0', '2001:db8:50::23%12']) {
    const answer = await api.get(`panel/search?search=${encodeURIComponent(typed)}`, { token });
    expect([answer.status, answer.body.data], typed).toEqual([200, []]);
  }
});

test('closed sessions keep their addresses, in the history and in the CSV', async () => {
  await report('Start', '2', long('2001:db8:60:0:0:0:0:2'));
  await report('Stop', '2', long('2001:db8:60:0:0:0:0:3'));
  const at = 'panel/reports/sessions?per_page=10';
  for (const part of ['2001:db8:60::3', 'db8:60'])
    expect((await api.get(`${at}&user_ip=${part}`, { token })).body.data, part).toMatchObject([
      { client_ip: null, ipv6: ['2001:db8:60::3', '2001:db8:60::2'], close_reason: 'stop' },
    ]);
  const both = [address(attribute['Framed-IP-Address'], '10.5.50.60'), long('2001:db8:61:0:0:0:0:4')];
  await report('Start', '4', ...both);
  await report('Stop', '4', ...both);
  const csv = (await api.get(`${at}&download=true`, { token })).text;
  expect(csv).toContain('2001:db8:60::2 2001:db8:60::3');
  expect(csv).toContain('10.5.50.60 2001:db8:61::4,');
});

test('an address that only maps an IPv4 address is the IPv4 address', async () => {
  await report('Start', '3', long('0:0:0:0:0:ffff:a05:3309'));
  expect(await online('ip=10.5.51.9')).toMatchObject([{ client_ip: '10.5.51.9', ipv6: [] }]);
});

test('addresses stay within their tenant, and go with their session', async () => {
  await report('Start', '5', long('2001:db8:70:0:0:0:0:5'));
  await report('Start', '6', long('2001:db8:71:0:0:0:0:6'));
  await report('Stop', '6', long('2001:db8:71:0:0:0:0:6'));
  expect((await ask({ address: '2001:db8:70::5' })).body.data.matches).toHaveLength(1);
  const stranger = await api.user('tenant-admin', { tenant: 'komsu' });
  const body = { address: '2001:db8:70::5', at: new Date().toISOString(), reason: 'Merak' };
  const answer = await api.post('panel/reports/who-was-it', { token: stranger.token, tenant: 'komsu', body });
  expect(answer.body.data.matches).toEqual([]);
  await api.app.db.withSystem(async tx => {
    await tx.run(
      sql`update session_history set started_at = '2020-01-01', ended_at = '2020-01-02' where client_mac = 'A0:00:00:00:00:06'`,
    );
    expect(await deleteSessions(tx, { days: 30, limit: 10 })).toBe(1);
  });
  const left = await api.inTenant(tx => tx.many<{ a: string }>(sql`select host(network) as a from session_addresses`));
  expect(left.map(it => it.a).filter(it => it.startsWith('2001:db8:7'))).toEqual(['2001:db8:70::5']);
});

test('a report without the Class of its session adds its addresses to that session', async () => {
  const named = octets(attribute.Class, Buffer.from('0123456789abcdef'));
  await report('Start', '7', named, long('2001:db8:80:0:0:0:0:1'));
  await report('Interim-Update', '7', long('2001:db8:80:0:0:0:0:2'));
  expect((await online('mac=A0:00:00:00:00:07')).map((it: { ipv6: string[] }) => it.ipv6.sort())).toEqual([
    ['2001:db8:80::1', '2001:db8:80::2'],
  ]);
  await report('Stop', '7', long('2001:db8:80:0:0:0:0:3'));
  // The Stop once more, with an address that the first one did not have.
  await report('Stop', '7', long('2001:db8:80:0:0:0:0:4'));
  for (const last of [1, 2, 3, 4]) {
    const { matches } = (await ask({ address: `2001:db8:80::${last}` })).body.data;
    expect(matches, `::${last}`).toMatchObject([{ proof: 'accounting', session: { client_mac: 'A0:00:00:00:00:07' } }]);
  }
});
