import sql from 'sql-template-tag';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { recordPast } from '#features/sessions/public.ts';
import { type Body, startApi, type TestApi } from '#test/harness.ts';
import { feed, makeDevice } from '../logs/testing/fixture.ts';
import { visitorJobs } from '../visitors/visitors.jobs.ts';
import { textOf } from './testing/pdf-text.ts';

let api: TestApi;
let admin: string;
let device: Awaited<ReturnType<typeof makeDevice>>;
const publicAddress = '203.0.113.5';
const [aysesMac, cansMac] = ['A0:00:00:00:00:01', 'A0:00:00:00:00:02'];
/** Half past nine at the hotel. */
const half = '2026-03-10T06:30:00.000Z';
const moment = (seconds: number) => new Date(Date.parse(half) + seconds * 1000).toISOString();

const nat = (port: number, natPort: number, from = '10.5.50.9') =>
  `<134>Oct 21 09:30:00 nas forward: in:guest out:wan, connection-state:established,snat src-mac a0:00:00:00:00:01, proto TCP (ACK), ${from}:${port}->93.184.216.34:443, NAT (${from}:${port}->${publicAddress}:${natPort})->93.184.216.34:443, len 52`;
const plain = (port: number, from = '10.5.50.9') =>
  `<134>Oct 21 09:30:00 nas forward: in:guest out:wan, connection-state:new src-mac a0:00:00:00:00:01, proto TCP (SYN), ${from}:${port}->93.184.216.34:443, len 60`;
const lease = (address: string, mac: string) => `<30>Oct 21 09:30:00 nas dhcp1 assigned ${address} to ${mac} phone`;

beforeAll(async () => {
  api = await startApi();
  admin = (await api.user('tenant-admin')).token;
  const location = await api.location(admin, 'Çınar Otel');
  device = await makeDevice(api, { nas: 'kimdi001', location, address: publicAddress });
  const guest = (username: string, name: string) =>
    api.post('panel/client', {
      token: admin,
      body: {
        location_id: location,
        name,
        provider_type: 'username',
        username,
        password: 'secret1',
        phone: '+905551112233',
      },
    });
  await guest('ayse', 'Ayşe Işık');
  await guest('can', 'Can Öz');
  const visit = (username: string, mac: string, ip: string) => ({
    ...{
      deviceId: device.id,
      username,
      mac,
      ip,
      sessionId: `s-${mac}`,
      seconds: 3600,
      upload: 1 << 20,
      download: 5 << 20,
    },
    startedAt: new Date(Date.parse(half) - 1_800_000),
  });
  await recordPast(api.app, await api.tenantId('panel'), [
    visit('ayse', aysesMac, '10.5.50.9'),
    visit('can', cansMac, '10.5.50.10'),
  ]);
  await api.inTenant(async tx => {
    await tx.run(sql`insert into agreement_versions (version, texts) values ('v7', '{}')`);
    await tx.run(sql`insert into consents (visitor_id, client_mac, version, location_id, language, created_at)
      select id, ${aysesMac}::macaddr, 'v7', location_id, 'tr', ${moment(-1800)}::timestamptz from visitors where username = 'ayse'
      union all
      select id, ${cansMac}::macaddr, 'v7', location_id, 'tr', ${moment(3600)}::timestamptz from visitors where username = 'can'`);
  });
  await feed(api, device, [
    { at: moment(-1800), line: lease('10.5.50.9', aysesMac) },
    { at: moment(-1790), line: lease('10.5.50.77', cansMac) },
    { at: moment(-1780), line: lease('10.5.50.10', 'A0:00:00:00:00:77') },
    { at: moment(-1770), line: lease('10.5.50.88', cansMac) },
    { at: moment(-600), line: `<30>Oct 21 09:20:00 nas dhcp1 deassigned 10.5.50.88 from ${cansMac}` },
    { at: moment(-400), line: nat(50002, 61002) },
    { at: moment(-300), line: nat(50002, 61002, '10.5.50.10') },
    { at: moment(-900), line: nat(50000, 61000, '10.5.50.10') },
    { at: moment(-5), line: nat(50000, 61000) },
    { at: moment(-4), line: nat(50001, 61001, '10.5.50.10') },
    { at: moment(-3), line: plain(50500, '10.5.50.10') },
    // Its address begins like that of Ayşe's device.
    { at: moment(-2), line: plain(50501, '10.5.50.90') },
    { at: moment(600), line: nat(50000, 61000, '10.5.50.10') },
  ]);
});

const form = (it: object) => ({ at: '2026-03-10 09:30:00', reason: '2026/114 soruşturma', ...it });
const ask = async (it: object, token = admin) => api.post('panel/reports/who-was-it', { token, body: form(it) });
const found = async (it: object): Promise<Body[]> => (await ask(it)).body.data.matches;
const names = async (it: object) => (await found(it)).map(match => [match.tie, match.guest?.name]);

describe('who was it', () => {
  test('finds a guest by address, with lease, session, agreement, router and lines', async () => {
    const answer = await ask({ address: '10.5.50.9' });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body.data).toMatchObject({
      asked: {
        address: '10.5.50.9',
        port: null,
        at: half,
        time_zone: 'Europe/Istanbul',
        reason: '2026/114 soruşturma',
      },
      complete: true,
    });
    expect(answer.body.data.matches).toHaveLength(1);
    expect(answer.body.data.matches[0]).toMatchObject({
      tie: 'address',
      exact: true,
      guest: { name: 'Ayşe Işık', provider_type: 'username', username: 'ayse', phone: '+905551112233' },
      session: { client_mac: aysesMac, client_ip: '10.5.50.9', user_name: 'ayse' },
      consent: { version: 'v7', language: 'tr' },
      location: { name: 'Çınar Otel' },
      device: { id: device.id, nas_identifier: 'kimdi001', address: publicAddress },
      lease: { source: 'dhcp', address: '10.5.50.9', at: moment(-1800) },
    });
    expect(answer.body.data.matches[0].lines.map((it: Body) => it.type)).toEqual(['dhcp', 'firewall']);
  });

  test('has the connections of the guest from two minutes before to two minutes after', async () => {
    // The only connection is five seconds before half past.
    for (const [at, expected] of [
      ['09:27:50', ['dhcp']],
      ['09:28:00', ['dhcp', 'firewall']],
      ['09:31:50', ['dhcp', 'firewall']],
      ['09:32:00', ['dhcp']],
    ] as const) {
      const [match] = await found({ address: '10.5.50.9', at: `2026-03-10 ${at}` });
      expect(
        match!['lines'].map((it: Body) => it.type),
        at,
      ).toEqual(expected);
    }
  });

  test('finds a guest by public address and port, from the translation at that time', async () => {
    expect(await names({ address: publicAddress, port: 61000 })).toEqual([['translation', 'Ayşe Işık']]);
    expect(await names({ address: publicAddress, port: 61001 })).toEqual([['translation', 'Can Öz']]);
    expect(await names({ address: publicAddress, port: 61000, at: '2026-03-10 09:20:00' })).toEqual([
      ['translation', 'Can Öz'],
    ]);
    const [match] = await found({ address: publicAddress, port: 61000 });
    expect(match.lines.some((it: Body) => it.text.includes(`${publicAddress}:61000`))).toBe(true);
  });

  test('without a translation, finds guests by port, or else everyone behind the address', async () => {
    expect(await names({ address: publicAddress, port: 50500 })).toEqual([['port', 'Can Öz']]);
    const everyone = await names({ address: publicAddress, port: 9 });
    expect(everyone.filter(([tie]) => tie !== 'behind')).toEqual([]);
    for (const name of ['Ayşe Işık', 'Can Öz']) expect(everyone).toContainEqual(['behind', name]);
    expect(await names({ address: publicAddress, port: 9, mac: cansMac })).toEqual([['behind', 'Can Öz']]);
  });

  test('names the guest of the latest translation before that time, where two had the port within minutes', async () => {
    expect(await names({ address: publicAddress, port: 61002, at: '2026-03-10 09:24:10' })).toEqual([
      ['translation', 'Ayşe Işık'],
    ]);
  });

  test('does not take guests for those behind an address that only an operator entered', async () => {
    const typed = '198.51.100.77';
    await api.inTenant(tx =>
      tx.run(sql`insert into log_sources (device_id, network, proof, first_at, proven_at)
        values (${device.id}, ${typed}, 'operator', ${moment(-1800)}, ${moment(1800)})`),
    );
    expect(await names({ address: typed, port: 9 })).toEqual([]);
  });

  test('takes guests for those behind an address that the router proved within an hour after that time', async () => {
    const [soon, late] = ['198.51.100.78', '198.51.100.79'];
    await api.inTenant(tx =>
      tx.run(sql`insert into log_sources (device_id, network, proof, first_at, proven_at) values
        (${device.id}, ${soon}, 'radius', ${moment(3600)}, ${moment(7200)}),
        (${device.id}, ${late}, 'radius', ${moment(3601)}, ${moment(7200)})`),
    );
    // A router with such a row is not asked for by its latest address.
    onTestFinished(async () => {
      await api.inTenant(tx => tx.run(sql`delete from log_sources where network in (${soon}, ${late})`));
    });
    expect(await names({ address: soon, port: 9 })).toContainEqual(['behind', 'Ayşe Işık']);
    expect(await names({ address: late, port: 9 })).toEqual([]);
  });

  test('finds a guest by lease if the session has another address', async () => {
    expect(await names({ address: '10.5.50.77' })).toEqual([['lease', 'Can Öz']]);
  });

  test('finds no guest by a lease that has ended, or by that of another MAC', async () => {
    expect(await names({ address: '10.5.50.88', at: '2026-03-10 09:15:00' })).toEqual([['lease', 'Can Öz']]);
    expect(await names({ address: '10.5.50.88' })).toEqual([]);
    expect(await names({ address: '10.5.50.77', mac: aysesMac })).toEqual([]);
  });

  test('shows with a session neither the lease of another MAC nor an agreement from after that time', async () => {
    const [match] = await found({ address: '10.5.50.10' });
    expect(match).toMatchObject({ guest: { name: 'Can Öz' }, lease: { source: 'accounting' }, consent: null });
  });

  test('searches sealed files too', async () => {
    const { logJobs } = await import('../logs/logs.jobs.ts');
    await logJobs.find(job => job.name === 'seal log files')!.run(api.app);
    expect(await names({ address: publicAddress, port: 61001 })).toEqual([['translation', 'Can Öz']]);
    expect((await found({ address: '10.5.50.9' }))[0].lease.source).toBe('dhcp');
  });

  test('finds no guest for another time, another address or an unknown MAC', async () => {
    expect(await found({ address: '10.5.50.9', at: '2026-03-10 14:00:00' })).toEqual([]);
    expect(await found({ address: '198.51.100.1', port: 61000 })).toEqual([]);
    expect(await found({ address: '10.5.50.9', mac: 'A0:00:00:00:00:99' })).toEqual([]);
  });

  test('marks a guest who was online shortly before or after, if nobody was at that time', async () => {
    const [match] = await found({ address: '10.5.50.9', at: '2026-03-10 08:58:00' });
    expect(match).toMatchObject({ exact: false, guest: { name: 'Ayşe Işık' } });
  });

  test('is exact only about the guest who was online then, when two had the address within minutes', async () => {
    const visit = (username: string, mac: string, from: number, until: number) => ({
      ...{ deviceId: device.id, username, mac, ip: '10.5.50.60', sessionId: `n-${mac}`, upload: 1, download: 1 },
      ...{ startedAt: new Date(moment(from)), seconds: until - from },
    });
    await recordPast(api.app, await api.tenantId('panel'), [
      visit('ayse', 'A0:00:00:00:00:31', -1800, -180),
      visit('can', 'A0:00:00:00:00:32', -60, 1800),
    ]);
    const matches = await found({ address: '10.5.50.60' });
    expect(matches.map(it => [it.guest.name, it.exact])).toEqual([['Can Öz', true]]);
    expect((await found({ address: '10.5.50.60', at: '2026-03-10 09:27:00' }))[0]).toMatchObject({
      exact: true,
      guest: { name: 'Ayşe Işık' },
    });
  });

  test('names a guest whose data was erased while the law asks for it', async () => {
    await api.post('panel/client', {
      token: admin,
      body: {
        location_id: device.location,
        name: 'Ece Su',
        provider_type: 'username',
        username: 'ece',
        password: 'secret1',
      },
    });
    const visit = {
      deviceId: device.id,
      username: 'ece',
      mac: 'A0:00:00:00:00:33',
      ip: '10.5.50.61',
      sessionId: 'ece',
    };
    await recordPast(api.app, await api.tenantId('panel'), [
      { ...visit, startedAt: new Date(moment(-600)), seconds: 1200, upload: 1, download: 1 },
    ]);
    await api.inTenant(tx =>
      tx.run(
        sql`update visitors set created_at = now() - interval '9 years', updated_at = now() - interval '9 years' where username = 'ece'`,
      ),
    );
    await visitorJobs[0]!.run({ ...api.app, settings: { ...api.app.settings, VISITOR_RETENTION_DAYS: 100 } });
    const [erased] = await api.inTenant(tx =>
      tx.many<{ name: string }>(sql`select name from visitors where erased_at is not null`),
    );
    expect(erased).toEqual({ name: '' });
    const after = await found({ address: '10.5.50.61' });
    expect(after).toMatchObject([{ guest: { name: 'Ece Su', username: 'ece' } }]);
  });

  test('says that there are more guests than it names', async () => {
    const location = await api.location(admin, 'Kongre');
    const router = await makeDevice(api, { nas: 'kongre001', location, address: '203.0.113.107' });
    const visits = Array.from({ length: 51 }, (_, i) => ({
      ...{ deviceId: router.id, username: 'x', sessionId: `k-${i}`, seconds: 3600, upload: 1, download: 1 },
      ...{ mac: `A0:00:00:00:02:${i.toString(16).padStart(2, '0')}`, ip: `10.9.0.${i + 1}` },
      startedAt: new Date(moment(-1800)),
    }));
    const answer = async () => {
      const { body } = await ask({ address: '203.0.113.107' });
      return [body.data.matches.length, body.data.complete];
    };
    await recordPast(api.app, await api.tenantId('panel'), visits.slice(1));
    expect(await answer()).toEqual([50, true]);
    await recordPast(api.app, await api.tenantId('panel'), visits.slice(0, 1));
    expect(await answer()).toEqual([50, false]);
  });

  test('answers several requests at once', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask({ address: publicAddress, port: 61000 })));
    expect(answers.map(it => it.status)).toEqual([200, 200, 200, 200, 200]);
  });

  test('needs an address, a time in the past and a reason', async () => {
    const bad = await api.post('panel/reports/who-was-it', {
      token: admin,
      body: { address: '10.5.50', port: 0, at: '2026-03-10' },
    });
    expect(bad.status).toBe(422);
    expect(Object.keys(bad.body.errors).sort()).toEqual(['address', 'at', 'port', 'reason']);
    const later = await ask({ address: '10.5.50.9', at: '2999-01-01 00:00:00' });
    expect(later.status).toBe(422);
    expect(later.body.errors.at).toEqual(['This must not be in the future.']);
  });
});

describe('the proof of a match', () => {
  const provenBy = async (nas: string, publicIp: string, origin: Parameters<typeof feed>[3] | 'none') => {
    const location = await api.location(admin, nas);
    const router = await makeDevice(api, { nas, location, address: publicIp });
    const mac = 'A0:00:00:00:01:01';
    const startedAt = new Date(Date.parse(half) - 1_800_000);
    const visit = { deviceId: router.id, username: 'x', mac, ip: '10.7.0.9', sessionId: `s-${nas}` };
    await recordPast(api.app, await api.tenantId('panel'), [
      { ...visit, seconds: 3600, upload: 1, download: 1, startedAt },
    ]);
    const text = nat(50_000, 61_000, '10.7.0.9').replaceAll(publicAddress, publicIp);
    await feed(api, router, [{ at: moment(-5), line: text }], origin === 'none' ? null : origin);
    const [match] = await found({ address: publicIp, port: 61_000 });
    return { tie: match.tie, proof: match.proof, exact: match.exact, certain: match.certain };
  };

  test('is certain for lines with the certificate of the router, but not for those of a proven address', async () => {
    const tie = 'translation';
    const tls = { transport: 'tls', proof: 'certificate' } as const;
    expect(await provenBy('kanit001', '203.0.113.101', tls)).toEqual({
      ...{ tie, proof: 'certificate', exact: true, certain: true },
    });
    const udp = { transport: 'udp', proof: 'radius' } as const;
    expect(await provenBy('kanit002', '203.0.113.102', udp)).toEqual({
      ...{ tie, proof: 'address', exact: true, certain: false },
    });
    const trusted = { transport: 'tcp', proof: 'operator' } as const;
    expect(await provenBy('kanit003', '203.0.113.103', trusted)).toEqual({
      ...{ tie, proof: 'operator', exact: true, certain: false },
    });
  });

  test('is not hidden by many lines that others could send', async () => {
    const location = await api.location(admin, 'kanit005');
    const router = await makeDevice(api, { nas: 'kanit005', location, address: '203.0.113.105' });
    const visit = (mac: string, ip: string) => ({
      ...{ deviceId: router.id, username: 'x', mac, ip, sessionId: `s-${ip}`, seconds: 3600, upload: 1, download: 1 },
      startedAt: new Date(moment(-1800)),
    });
    const [own, other] = ['A0:00:00:00:01:05', 'A0:00:00:00:01:06'];
    await recordPast(api.app, await api.tenantId('panel'), [visit(own, '10.7.0.9'), visit(other, '10.7.0.10')]);
    const line = (from: string) => nat(50_000, 61_000, from).replaceAll(publicAddress, '203.0.113.105');
    const tls = { transport: 'tls', proof: 'certificate' } as const;
    await feed(
      api,
      router,
      [
        { at: moment(-1700), line: lease('10.7.0.9', own) },
        { at: moment(-50), line: line('10.7.0.9') },
      ],
      tls,
    );
    const forged = Array.from({ length: 25 }, (_, i) => [
      { at: moment(i - 40), line: line('10.7.0.10') },
      { at: moment(i - 40), line: lease('10.7.0.9', other) },
    ]);
    await feed(api, router, forged.flat(), { transport: 'udp', proof: 'radius' });
    const answers = [
      await found({ address: '203.0.113.105', port: 61_000 }),
      await found({ address: '203.0.113.105' }),
    ];
    for (const answer of answers)
      expect(answer).toMatchObject([
        {
          ...{ tie: 'translation', proof: 'certificate', certain: true },
          ...{ session: { client_mac: own }, lease: { source: 'dhcp', at: moment(-1700) } },
        },
      ]);
  });

  test('is the nearest one after the requested time when no line is before it, however many come later', async () => {
    const location = await api.location(admin, 'kanit007');
    const router = await makeDevice(api, { nas: 'kanit007', location, address: '203.0.113.108' });
    const macs = ['A0:00:00:00:01:09', 'A0:00:00:00:01:0A'] as const;
    await recordPast(
      api.app,
      await api.tenantId('panel'),
      macs.map((mac, i) => ({
        ...{ deviceId: router.id, username: 'x', mac, ip: `10.7.0.${30 + i}`, sessionId: `s-${mac}` },
        ...{ seconds: 3600, upload: 1, download: 1, startedAt: new Date(moment(-1800)) },
      })),
    );
    const line = (from: string) => nat(53_000, 53_000, from).replaceAll(publicAddress, '203.0.113.108');
    const later = Array.from({ length: 20 }, (_, i) => ({ at: moment(70 + i), line: line('10.7.0.30') }));
    await feed(
      api,
      router,
      [{ at: moment(1), line: line('10.7.0.30') }, { at: moment(50), line: line('10.7.0.31') }, ...later],
      { transport: 'tls', proof: 'certificate' },
    );
    const answer = await found({ address: '203.0.113.108', port: 53_000 });
    expect(answer.map(it => it['session'].client_mac)).toEqual([macs[0]]);
    expect(answer[0]!['lines']).toHaveLength(20);
    expect(answer[0]!['lines'][0]).toMatchObject({ at: moment(1) });
  });

  test('is certain for no guest when others used the address in the same minute, however many lines they have', async () => {
    const location = await api.location(admin, 'kanit006');
    const router = await makeDevice(api, { nas: 'kanit006', location, address: '203.0.113.106' });
    const macs = ['A0:00:00:00:01:07', 'A0:00:00:00:01:08'];
    await recordPast(
      api.app,
      await api.tenantId('panel'),
      macs.map((mac, i) => ({
        ...{ deviceId: router.id, username: 'x', mac, ip: `10.7.0.${20 + i}`, sessionId: `s-${mac}` },
        ...{ seconds: 3600, upload: 1, download: 1, startedAt: new Date(moment(-1800)) },
      })),
    );
    const line = (port: number, from: string) => nat(port, port, from).replaceAll(publicAddress, '203.0.113.106');
    const busy = Array.from({ length: 25 }, (_, i) => ({ at: moment(i - 20), line: line(52_000 + i, '10.7.0.21') }));
    await feed(api, router, [{ at: moment(-30), line: line(51_000, '10.7.0.20') }, ...busy], {
      ...{ transport: 'tls', proof: 'certificate' },
    });
    const answer = await found({ address: '203.0.113.106' });
    expect(answer.map(it => [it['session'].client_mac, it['certain']]).sort()).toEqual(macs.map(mac => [mac, false]));
    expect(answer.map(it => it['lines'].length).sort((a, b) => a - b)).toEqual([1, 20]);
  });

  test('is missing for older lines whose source was not checked, which are never exact', async () => {
    expect(await provenBy('kanit004', '203.0.113.104', 'none')).toEqual({
      ...{ tie: 'translation', proof: 'unproven', exact: false, certain: false },
    });
  });

  test('is certain for an address from accounting, but not for one from the browser', async () => {
    expect(await found({ address: '10.5.50.9' })).toMatchObject([{ proof: 'accounting', exact: true, certain: true }]);
    const change = (name: string) =>
      api.app.db.pool.query(`update session_history set acct_session_id = $1 where client_ip = '10.5.50.9'`, [name]);
    await change('unreported-1-abc');
    expect(await found({ address: '10.5.50.9' })).toMatchObject([{ proof: 'portal', exact: false, certain: false }]);
    await change(`s-${aysesMac}`);
  });

  test('names the time for a local time that occurs twice, which is searched twice', async () => {
    const berlin = await api.location(admin, 'Berlin', { time_zone: 'Europe/Berlin' });
    const router = await makeDevice(api, { nas: 'berlin001', location: berlin });
    const visit = (username: string, mac: string, startedAt: string) => ({
      ...{ deviceId: router.id, username, mac, ip: '10.8.0.9', sessionId: `b-${mac}`, seconds: 2400 },
      ...{ upload: 1, download: 1, startedAt: new Date(startedAt) },
    });
    await recordPast(api.app, await api.tenantId('panel'), [
      visit('ayse', aysesMac, '2025-10-26T00:10:00Z'),
      visit('can', cansMac, '2025-10-26T01:10:00Z'),
    ]);
    const { token } = await api.user('member', { location: berlin });
    const { body } = await ask({ address: '10.8.0.9', at: '2025-10-26 02:30:00' }, token);
    expect(body.data.asked).toMatchObject({ at: '2025-10-26T00:30:00.000Z', also_at: '2025-10-26T01:30:00.000Z' });
    expect(
      body.data.matches.map((it: Body) => [it.session.client_mac, it.asked_at.slice(11, 16), it.exact, it.certain]),
    ).toEqual([
      [aysesMac, '00:30', true, false],
      [cansMac, '01:30', true, false],
    ]);
    const second = await ask({ address: '10.8.0.9', at: '2025-10-26T02:30:00+01:00' }, token);
    expect(second.body.data.asked.also_at).toBeNull();
    expect(second.body.data.matches).toMatchObject([{ session: { client_mac: cansMac }, certain: true }]);
    const usual = await ask({ address: '10.8.0.9', at: '2025-10-26 04:30:00' }, token);
    expect(usual.body.data.asked).toMatchObject({ at: '2025-10-26T03:30:00.000Z', also_at: null });
    const report = await fetch(`${api.url}/v1/panel/reports/who-was-it/pdf`, {
      method: 'POST',
      headers: { 'x-tenant': 'panel', authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(form({ address: '10.8.0.9', at: '2025-10-26 02:30:00' })),
    });
    const printed = textOf(Buffer.from(await report.arrayBuffer()));
    for (const word of ['26.10.2025 02:30:00 (GMT+02:00)', '26.10.2025 02:30:00 (GMT+01:00)', 'occurred twice'])
      expect(printed).toContain(word);
  });
});

describe('users who may search', () => {
  const member = (permissions: string[], at = device.location) => api.user('member', { location: at, permissions });

  test('need a separate permission, which only the manager role has', async () => {
    const { token } = await member(['view-clients', 'view-basic-stats', 'view-devices', 'update-clients']);
    expect((await ask({ address: '10.5.50.9' }, token)).status).toBe(403);
    expect((await ask({ address: '10.5.50.9' }, (await api.user('auditor')).token)).status).toBe(403);
    const { body } = await api.get('panel/location/roles', { token: admin });
    const holding = body.data
      .filter((role: Body) => role.permissions.identity.length > 0)
      .map((role: Body) => role.name);
    expect(holding).toEqual(['Manager']);
  });

  test('see masked data if they may not view visitors', async () => {
    const { token } = await member(['view-identity']);
    const { body, text } = await ask({ address: '10.5.50.9' }, token);
    expect(body.data.matches[0].guest).toMatchObject({ name: 'A*** I***', phone: '***33', username: null });
    expect(text).not.toMatch(/Işık|5551112233|"ayse"/);
  });

  test('see of an identity number its end, and no date of birth, room or e-mail, if they may not view visitors', async () => {
    const mac = 'A0:00:00:00:00:41';
    const name = 'Deniz Kaya';
    const birth = { birth_day: 1, birth_month: 2, birth_year: 1990 };
    const body = {
      location_id: device.location,
      name,
      provider_type: 'citizen-id',
      provider_id: '10000000146',
      ...birth,
    };
    const contact = { phone: '+905557654321', email: 'deniz@example.com' };
    expect((await api.post('panel/client', { token: admin, body: { ...body, ...contact } })).status).toBe(201);
    await recordPast(api.app, await api.tenantId('panel'), [
      {
        ...{
          deviceId: device.id,
          username: 'deniz',
          mac,
          ip: '10.5.50.62',
          sessionId: 'deniz',
          upload: 1,
          download: 1,
        },
        ...{ startedAt: new Date(moment(-600)), seconds: 1200 },
      },
    ]);
    await api.inTenant(tx => tx.run(sql`update visitors set room_number = '101' where name = ${name}`));
    await api.app.db.pool.query(
      `update session_history set visitor_id = (select id from visitors where name = $1) where client_mac = $2`,
      [name, mac],
    );
    const seenBy = async (token: string) => (await ask({ address: '10.5.50.62' }, token)).body.data.matches[0].guest;
    const whole = await seenBy(admin);
    expect(whole).toMatchObject({
      ...{ name, ...contact, provider_type: 'citizen-id', citizen_id: '10000000146' },
      ...{ birth_date: '1990-02-01', room_number: '101' },
    });
    const { id, provider_type, created_at } = whole;
    expect(await seenBy((await member(['view-identity'])).token)).toEqual({
      ...{ id, provider_type, created_at, name: 'D*** K***', phone: '***21', citizen_id: '***46' },
      ...{ email: null, username: null, room_number: null, birth_date: null },
    });
  });

  test('find nothing of another location, of other devices or of another tenant', async () => {
    const other = await api.location(admin, 'Komşu');
    const neighbour = await member(['view-identity', 'view-clients'], other);
    const limited = await api.user('member', {
      location: device.location,
      deviceIds: ['00000000-0000-4000-8000-000000000000'],
    });
    for (const { token } of [neighbour, limited])
      for (const it of [{ address: '10.5.50.9' }, { address: publicAddress, port: 61000 }, { address: '10.5.50.77' }])
        expect((await ask(it, token)).body.data.matches).toEqual([]);
    const foreign = await api.user('tenant-admin', { tenant: 'elsewhere' });
    const answer = await api.post('panel/reports/who-was-it', {
      tenant: 'elsewhere',
      token: foreign.token,
      body: form({ address: publicAddress, port: 61000 }),
    });
    expect(answer.body.data.matches).toEqual([]);
  });

  test('are in the audit log with their reason', async () => {
    await ask({ address: '192.0.2.44', port: 1234, reason: 'Savcılık 77/1' });
    const { body } = await api.get('panel/audit?verb=look-up&per_page=200', { token: admin });
    const entry = body.data.find((it: Body) => it.subject.name.startsWith('192.0.2.44:1234 2026-03-10T06:30'));
    expect(entry).toMatchObject({ subject: { type: 'guest-identity' }, after: { reason: 'Savcılık 77/1' } });
  });
});

describe('the PDF', () => {
  test('is signed with a permanent key, is in the audit log and has Turkish letters', async () => {
    const ordered = () =>
      fetch(`${api.url}/v1/panel/reports/who-was-it/pdf`, {
        method: 'POST',
        headers: {
          'x-tenant': 'panel',
          authorization: `Bearer ${admin}`,
          'content-type': 'application/json',
          'accept-language': 'tr',
        },
        body: JSON.stringify(form({ address: '10.5.50.9' })),
      });
    const [first, second] = await Promise.all([ordered(), ordered()]);
    expect(first.headers.get('content-type')).toBe('application/pdf');
    expect(first.headers.get('content-disposition')).toContain('who-was-it-2026-03-10.pdf');
    const pdf = Buffer.from(await first.arrayBuffer());
    const certificate = await api.get('panel/reports/who-was-it/certificate', { token: admin });
    const body = Buffer.from(certificate.text.replace(/-----[^-]+-----|\s/g, ''), 'base64').toString('hex');
    for (const file of [pdf, Buffer.from(await second.arrayBuffer())]) {
      expect(file.subarray(0, 5).toString()).toBe('%PDF-');
      expect(file.toString('latin1')).toMatch(/\/SubFilter \/adbe\.pkcs7\.detached/);
      expect(file.toString('latin1')).toContain(body);
    }
    const printed = textOf(pdf);
    for (const word of ['Kimdi?', 'Ayşe Işık', '2026/114 soruşturma', 'Çınar Otel', aysesMac, 'v7', 'DHCP'])
      expect(printed).toContain(word);
    // The report says what proves the answer, and how certain it is.
    const words = printed.replaceAll(/\s+/g, ' ');
    expect(words).toMatch(/Dayanağı .{0,80}RADIUS/);
    expect(words).toContain('Kesinlik Kesin ');
    const { body: log } = await api.get('panel/audit?verb=export&subject_type=guest-identity', { token: admin });
    expect(log.data.filter((it: Body) => it.subject.name.startsWith('10.5.50.9 '))).toHaveLength(2);
  });
});

test('the PDF has the question, the guest, the agreement and what proves each line, in English too', async () => {
  const report = await fetch(`${api.url}/v1/panel/reports/who-was-it/pdf`, {
    method: 'POST',
    headers: {
      ...{ 'x-tenant': 'panel', authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
      'accept-language': 'en',
    },
    body: JSON.stringify(form({ address: publicAddress, port: 61_000, mac: aysesMac })),
  });
  const words = textOf(Buffer.from(await report.arrayBuffer())).replaceAll(/\s+/g, ' ');
  for (const fact of [
    `IP address ${publicAddress}`,
    'Port 61000',
    '2026/114 soruşturma',
    'Name Ayşe Işık',
    'Username and password given by the operator',
    'Phone +905551112233',
    'version v7, accepted 10.03.2026 09:00:00',
    'Location Çınar Otel',
    'proven address',
  ])
    expect(words).toContain(fact);
});

test('the PDF shows a line as one, although a guest chose a part of it', async () => {
  const forged = '10.03.2026 NAT (10.5.50.9:1->203.0.113.5:1)';
  const name = ['\r', '\u000b', '\u0085', '\u2028', '\u2029', '\u202e'].map(it => `phone${it}${forged}`).join(' ');
  const line = Buffer.from(lease('10.5.50.9', aysesMac).replace('phone', name)).toString('latin1');
  await feed(api, device, [{ at: moment(-1795), line }]);
  const report = await fetch(`${api.url}/v1/panel/reports/who-was-it/pdf`, {
    method: 'POST',
    headers: { 'x-tenant': 'panel', authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
    body: JSON.stringify(form({ address: '10.5.50.9' })),
  });
  const printed = textOf(Buffer.from(await report.arrayBuffer()));
  for (const code of ['d', 'b', '85', '2028', '2029', '202e']) expect(printed).toContain(`phone\\u{${code}}10.03.2026`);
});
