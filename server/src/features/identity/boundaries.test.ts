import sql from 'sql-template-tag';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { recordPast } from '#features/sessions/public.ts';
import { type Body, startApi, type TestApi } from '#test/harness.ts';
import { feed, makeDevice } from '../logs/testing/fixture.ts';

/** The first and the last moment at which each kind of evidence counts, to the millisecond. */

let api: TestApi;
let token: string;
let location: string;
let device: Awaited<ReturnType<typeof makeDevice>>;
const publicAddress = '203.0.113.50';
const base = Date.parse('2026-03-10T06:30:00Z');
const [minute, hour, day] = [60, 3600, 86_400];
const moment = (seconds: number) => new Date(base + seconds * 1000).toISOString();
const [ayse, can] = [
  { username: 'ayse', mac: 'A0:00:00:00:00:01', ip: '10.6.0.9' },
  { username: 'can', mac: 'A0:00:00:00:00:02', ip: '10.6.0.10' },
];

interface Visit {
  readonly username?: string;
  readonly mac: string;
  readonly ip: string;
  readonly from: number;
  readonly until: number;
}
let visits = 0;
const visit = async ({ username = 'ayse', mac, ip, from, until }: Visit, at = device): Promise<void> =>
  recordPast(api.app, at.tenantId, [
    {
      ...{ deviceId: at.id, username, mac, ip, sessionId: `s${++visits}`, upload: 1, download: 1 },
      ...{ startedAt: new Date(moment(from)), seconds: until - from },
    },
  ]);
const change = (text: string, ...values: unknown[]) => api.app.db.pool.query(text, values);

const found = async (address: string, seconds: number, more: object = {}): Promise<Body[]> => {
  const body = { address, at: moment(seconds), reason: 'Dosya 7', ...more };
  const answer = await api.post('panel/reports/who-was-it', { token, body });
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data.matches;
};
/** How the guests are found at each of these times. */
const tiesAt = async (times: readonly number[], port?: number) => {
  const ties: string[] = [];
  for (const seconds of times) {
    const matches = await found(publicAddress, seconds, { port });
    ties.push([...new Set(matches.map(it => it['tie']))].join(' '));
  }
  return ties;
};

const nat = ({ ip }: { ip: string }, port: number, natPort: number) =>
  `<134>Oct 21 09:30:00 nas forward: in:guest out:wan, connection-state:established,snat proto TCP (ACK), ${ip}:${port}->93.184.216.34:443, NAT (${ip}:${port}->${publicAddress}:${natPort})->93.184.216.34:443, len 52`;
/** Lines of the types that are searched, which only mention an address or a port. */
const mentions = [
  '<30>Oct 21 09:30:00 nas dhcp,debug,packet dhcp1 sending ack with id 1 to 10.6.0.77',
  `<134>Oct 21 09:30:00 nas forward: in:guest out:wan, connection-state:new proto ICMP (type 8, code 0), ${ayse.ip}->${publicAddress}, len 50500`,
];
const plain = ({ ip }: { ip: string }, port: number) =>
  `<134>Oct 21 09:30:00 nas forward: in:guest out:wan, connection-state:new proto TCP (SYN), ${ip}:${port}->93.184.216.34:443, len 60`;

beforeAll(async () => {
  api = await startApi();
  ({ token } = await api.user('tenant-admin'));
  location = await api.location(token, 'Çınar Otel');
  device = await makeDevice(api, { nas: 'sinir001', location, address: publicAddress });
  for (const username of ['ayse', 'can']) {
    const guest = { location_id: location, name: username, provider_type: 'username', username, password: 'secret1' };
    expect((await api.post('panel/client', { token, body: guest })).status).toBe(201);
  }
  await visit({ ...ayse, from: -2 * hour, until: 2 * hour });
  await visit({ ...can, from: -2 * hour, until: 2 * day });
  const lines = [
    { at: moment(-hour), line: `<30>Oct 21 09:30:00 nas dhcp1 assigned 10.6.0.77 to ${can.mac} phone` },
    { at: moment(-5), line: nat(ayse, 50_001, 61_001) },
    { at: moment(0), line: nat(can, 50_001, 61_001) },
    { at: moment(0), line: plain(ayse, 50_500) },
    ...mentions.map(line => ({ at: moment(-2), line })),
  ];
  await feed(api, device, lines, { transport: 'tls', proof: 'certificate' });
});

test('a session has its address from its first to its last moment, and may have it for five minutes around', async () => {
  await visit({ mac: 'A0:00:00:00:00:11', ip: '10.6.0.1', from: 0, until: 600 });
  const near = async (seconds: number) => (await found('10.6.0.1', seconds)).map(it => it['near']);
  const [none, possible, sure] = [[], [true], [false]];
  for (const [seconds, expected] of [
    ...([
      [-300.001, none],
      [-300, possible],
      [-0.001, possible],
      [0, sure],
    ] as const),
    ...([
      [600, sure],
      [600.001, possible],
      [900, possible],
      [900.001, none],
    ] as const),
  ])
    expect(await near(seconds), String(seconds)).toEqual(expected);
});

test('a session is found by its address until 400 days after it began', async () => {
  for (const [days, ip, known] of [
    [399, '10.6.0.41', true],
    [401, '10.6.0.42', false],
  ] as const) {
    await visit({ mac: 'A0:00:00:00:00:31', ip, from: -days * day, until: minute });
    expect((await found(ip, 0)).length > 0, ip).toBe(known);
  }
});

test('an address of a session counts from a quarter of an hour before its first report to one after its last', async () => {
  const mac = 'A0:00:00:00:00:12';
  await visit({ mac, ip: '10.6.0.2', from: -2 * hour, until: 2 * hour });
  const report = (ip: string, from: number, until: number) =>
    change(
      `insert into session_addresses (tenant_id, session_id, network, first_at, last_at, held)
        select tenant_id, id, $2, $3, $4, tstzmultirange(tstzrange($3, $4, '[]')) from session_history where client_mac = $1`,
      ...[mac, ip, moment(from), moment(until)],
    );
  await report('10.6.0.3', -hour, -hour / 2);
  await report('10.6.0.2', 0, minute);
  const near = async (ip: string, seconds: number) => (await found(ip, seconds)).map(it => it['near']);
  const [none, possible, sure] = [[], [true], [false]];
  for (const [ip, seconds, expected] of [
    ...([
      ['10.6.0.3', -4500.001, none],
      ['10.6.0.3', -4500, possible],
      ['10.6.0.3', -3600, sure],
    ] as const),
    ...([
      ['10.6.0.3', -1800, sure],
      ['10.6.0.3', -900, possible],
      ['10.6.0.3', -899.999, none],
    ] as const),
    ...([
      ['10.6.0.2', -900.001, none],
      ['10.6.0.2', -900, possible],
      ['10.6.0.2', 0, sure],
    ] as const),
    // The last address of all stays until the session ends.
    ...([
      ['10.6.0.2', 2 * hour, sure],
      ['10.6.0.2', 2 * hour + 0.001, possible],
    ] as const),
  ])
    expect(await near(ip, seconds), `${ip} at ${seconds}`).toEqual(expected);
});

test('a translation counts for half an hour with its port, for a minute without it', async () => {
  const [yes, no] = ['translation', 'behind'];
  // The first of the two lines is five seconds before the other.
  expect(await tiesAt([1800, 1800.001, -125, -125.001], 61_001)).toEqual([yes, no, yes, no]);
  expect(await tiesAt([60, 60.001, -65, -65.001])).toEqual([yes, no, yes, no]);
});

test('of two guests who had a port in turn, the latest line until that very moment decides', async () => {
  const names = async (seconds: number) =>
    (await found(publicAddress, seconds, { port: 61_001 })).map(it => it['guest'].name);
  expect(await names(-60), 'before both').toEqual(['ayse']);
  expect(await names(-0.001)).toEqual(['ayse']);
  expect(await names(0)).toEqual(['can']);
});

test('a connection from the port counts for a quarter of an hour, and is never certain', async () => {
  expect(await tiesAt([900, 900.001, -120, -120.001], 50_500)).toEqual(['port', 'behind', 'port', 'behind']);
  const certain = async (port: number) =>
    (await found(publicAddress, 0, { port, mac: ayse.mac })).map(it => [it['tie'], it['proof'], it['certain']]);
  expect(await certain(50_500)).toEqual([['port', 'certificate', false]]);
  expect(await certain(9)).toEqual([['behind', 'accounting', false]]);
});

test('a lease counts for a day, and is certain by the certificate of its router', async () => {
  const leased = async (seconds: number) =>
    (await found('10.6.0.77', seconds)).map(it => [it['tie'], it['guest'].name, it['proof'], it['certain']]);
  const sure = [['lease', 'can', 'certificate', true]];
  expect(await leased(-hour - 0.001)).toEqual([]);
  expect(await leased(-hour)).toEqual(sure);
  expect(await leased(-hour + day)).toEqual(sure);
  expect(await leased(-hour + day + 0.001)).toEqual([]);
});

test('a line that only mentions an address is no evidence', async () => {
  const [match] = await found(ayse.ip, 0);
  expect(match!['lines'].map((it: Body) => it['at'])).toEqual([moment(-5), moment(0)]);
});

test('the lines of a match are in the order of time, and those of one moment as they arrived', async () => {
  const router = await makeDevice(api, { nas: 'sinir006', location, address: '198.51.100.12' });
  const guest = { mac: 'A0:00:00:00:00:20', ip: '10.6.0.20' };
  await visit({ ...guest, from: -hour, until: hour }, router);
  const renewed = `<30>Oct 21 09:30:00 nas dhcp1 assigned ${guest.ip} to ${guest.mac} phone`;
  await feed(api, router, [
    { at: moment(-90), line: plain(guest, 50_600) },
    { at: moment(-60), line: renewed },
    ...[50_603, 50_602, 50_601].map(port => ({ at: moment(-30), line: plain(guest, port) })),
  ]);
  const [match] = await found(guest.ip, 0);
  const shown = match!['lines'].map((it: Body) => /:(50\d{3})->/.exec(it['text'])?.[1] ?? it['type']);
  expect(shown).toEqual(['50600', 'dhcp', '50603', '50602', '50601']);
  expect(match!['lease']).toEqual({ source: 'dhcp', address: guest.ip, at: moment(-60) });
});

test('a router whose address was proven within the day before is still behind it', async () => {
  const network = '198.51.100.80';
  await api.inTenant(tx =>
    tx.run(sql`insert into log_sources (device_id, network, proof, first_at, proven_at)
      values (${device.id}, ${network}, 'radius', ${moment(-day)}, ${moment(0)})`),
  );
  onTestFinished(async () => {
    await api.inTenant(tx => tx.run(sql`delete from log_sources where network = ${network}`));
  });
  const names = async (seconds: number) => (await found(network, seconds)).map(it => [it['tie'], it['guest'].name]);
  expect(await names(day)).toEqual([['behind', 'can']]);
  expect(await names(day + 0.001)).toEqual([]);
});

test('lines of another router do not count where one is behind the address', async () => {
  const other = await makeDevice(api, { nas: 'sinir002', location, address: '198.51.100.9' });
  const guest = { username: 'can', mac: 'A0:00:00:00:00:13', ip: '10.6.1.1' };
  await visit({ ...guest, from: -hour, until: hour }, other);
  await feed(api, other, [{ at: moment(0), line: nat(guest, 50_005, 61_005) }]);
  expect(await tiesAt([0], 61_005)).toEqual(['behind']);
});

describe('a session', () => {
  test('shows the latest agreement until five minutes later, rather that of its own device', async () => {
    const own = 'A0:00:00:00:00:14';
    await visit({ username: 'can', mac: own, ip: '10.6.0.4', from: -hour, until: hour });
    const agree = (version: string, mac: string, seconds: number) =>
      api.inTenant(async tx => {
        await tx.run(sql`insert into agreement_versions (version, texts) values (${version}, '{}')`);
        await tx.run(sql`insert into consents (visitor_id, client_mac, version, location_id, language, created_at)
          select id, ${mac}::macaddr, ${version}, location_id, 'tr', ${moment(seconds)}::timestamptz from visitors where username = 'can'`);
      });
    const shown = async (seconds: number) => (await found('10.6.0.4', seconds))[0]!['consent']?.version ?? null;
    await agree('other-1', 'A0:00:00:00:00:91', 300);
    expect(await shown(-0.001)).toBeNull();
    expect(await shown(0)).toBe('other-1');
    await agree('other-2', 'A0:00:00:00:00:92', 310);
    expect(await shown(10)).toBe('other-2');
    await agree('own', own, 200);
    expect(await shown(10)).toBe('own');
  });

  test('of the portal says that its traffic is unknown, unless it has some', async () => {
    const mac = 'A0:00:00:00:00:15';
    await visit({ mac, ip: '10.6.0.5', from: -hour, until: hour });
    const reported = async (acct: string, upload: number, download: number) => {
      const set = 'acct_session_id = $2, upload = $3, download = $4';
      await change(`update session_history set ${set} where client_mac = $1`, mac, acct, upload, download);
      return (await found('10.6.0.5', 0)).map(it => it['session'].figures_reported);
    };
    expect(await reported('unreported-1', 0, 0)).toEqual([false]);
    expect(await reported('unreported-1', 0, 1)).toEqual([true]);
    expect(await reported('s-reported', 0, 0)).toEqual([true]);
  });

  test('has its address from accounting only if the router reported it', async () => {
    const [mac, ip, ipv6] = ['A0:00:00:00:00:21', '10.6.0.21', '2001:db8::21'];
    await visit({ mac, ip, from: -hour, until: hour });
    const source = async (address: string) => (await found(address, 0)).map(it => it['lease']);
    expect(await source(ip)).toEqual([{ source: 'accounting', address: ip, at: '2026-03-10T05:30:00Z' }]);
    await change(`update session_history set acct_session_id = 'unreported-3' where client_mac = $1`, mac);
    expect(await source(ip), 'the portal saw it').toEqual([null]);
    await change(
      `insert into session_addresses (tenant_id, session_id, network, first_at, last_at, held)
        select tenant_id, id, $2, started_at, ended_at, tstzmultirange(tstzrange(started_at, ended_at, '[]'))
        from session_history where client_mac = $1`,
      ...[mac, ipv6],
    );
    await change(`update session_history set acct_session_id = 's-ipv6', client_ip = null where client_mac = $1`, mac);
    expect(await source(ipv6), 'there is no IPv4 address').toEqual([null]);
  });

  test('whose address returned has it from the latest first report until that very moment', async () => {
    const [mac, ip] = ['A0:00:00:00:00:22', '10.6.0.22'];
    await visit({ mac, ip, from: -2 * hour, until: 2 * hour });
    const held = async (network: string, ...parts: readonly (readonly [from: number, until: number])[]) => {
      const ranges = parts.map(([from, until]) => `[${moment(from)},${moment(until)}]`).join();
      await change(
        `insert into session_addresses (tenant_id, session_id, network, held, first_at, last_at)
          select tenant_id, id, $2, $3::tstzmultirange, lower($3::tstzmultirange), upper($3::tstzmultirange)
          from session_history where client_mac = $1`,
        ...[mac, network, `{${ranges}}`],
      );
    };
    await held(ip, [-hour, -1800], [0, 1800]);
    await held('10.6.0.23', [-1200, -600]);
    const since = async (seconds: number) =>
      (await found(ip, seconds)).map(it => (Date.parse(it['lease'].at) - base) / 1000);
    for (const [seconds, first] of [
      ...([
        [-hour - 600, -hour],
        [-hour, -hour],
        [-0.001, -hour],
      ] as const),
      ...([
        [0, 0],
        [hour, 0],
      ] as const),
    ])
      expect(await since(seconds), String(seconds)).toEqual([first]);
  });

  test('of a deleted router still names its guest', async () => {
    const gone = await makeDevice(api, { nas: 'sinir003', location, address: '198.51.100.10' });
    await visit({ mac: 'A0:00:00:00:00:16', ip: '10.6.0.6', from: -hour, until: hour }, gone);
    expect((await api.delete(`panel/device/${gone.id}`, { token })).status).toBe(204);
    expect(await found('10.6.0.6', 0)).toMatchObject([{ tie: 'address', device: null, lines: [] }]);
  });
});

describe('a certain match', () => {
  test('stays certain beside an uncertain one with the same address', async () => {
    const elsewhere = await makeDevice(api, { nas: 'sinir004', address: '198.51.100.11' });
    const [one, other] = ['A0:00:00:00:00:17', 'A0:00:00:00:00:18'];
    await visit({ mac: one, ip: '10.6.0.7', from: -hour, until: hour });
    await visit({ mac: other, ip: '10.6.0.7', from: -hour, until: hour }, elsewhere);
    const certain = async () =>
      Object.fromEntries((await found('10.6.0.7', 0)).map(it => [it['session'].client_mac, it['certain']]));
    expect(await certain()).toEqual({ [one]: false, [other]: false });
    await change(`update session_history set acct_session_id = 'unreported-2' where client_mac = $1`, other);
    expect(await certain()).toEqual({ [one]: true, [other]: false });
  });

  test('of one session stays certain at a local time that occurs twice', async () => {
    const zone = 'Europe/Berlin';
    const berlin = await api.location(token, 'Berlin', { time_zone: zone });
    const router = await makeDevice(api, { nas: 'sinir005', location: berlin });
    const from = (Date.parse('2025-10-26T00:10:00Z') - base) / 1000;
    await visit({ mac: 'A0:00:00:00:00:19', ip: '10.6.0.8', from, until: from + 2 * hour }, router);
    const member = await api.user('member', { location: berlin });
    const body = { address: '10.6.0.8', at: '2025-10-26 02:30:00', reason: 'Dosya 7' };
    const answer = await api.post('panel/reports/who-was-it', { token: member.token, body });
    expect(answer.body.data.matches.map((it: Body) => [it['asked_at'].slice(11, 16), it['certain']])).toEqual([
      ['00:30', true],
      ['01:30', true],
    ]);
  });
});
