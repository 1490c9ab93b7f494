import { spawn, spawnSync } from 'node:child_process';
import { type SignInRefusal, signInRefusals } from '@portico/contract/sessions.ts';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startRadius } from '../services/radius.ts';
import { startApi } from './harness.ts';
import { freePort } from './process.ts';

/** Debian's freeradius-utils, an independent client; `npm test` installs it. */
if (spawnSync('radclient', ['-v']).status !== 0)
  throw new Error('radclient is missing: apt-get install freeradius-utils');

interface Reply {
  readonly code: string;
  readonly attributes: Readonly<Record<string, string>>;
}

describe('radclient', async () => {
  const [auth, acct] = [await freePort(), await freePort()];
  const api = await startApi({
    UDP_HOST: '127.0.0.1',
    RADIUS_AUTH_PORT: String(auth),
    RADIUS_ACCT_PORT: String(acct),
  });
  const radius = await startRadius(api.app);
  afterAll(() => radius.stop());

  let token: string;
  let location: string;
  let device: { id: string; nas_identifier: string; secret: string };
  const make = async (path: string, body: object) => {
    const answer = await api.post(path, { token, body });
    expect(answer.status, answer.text).toBe(201);
    return answer.body.data;
  };
  const mac = 'A0:00:00:00:00:01';
  const on = (option: string, value: number) => ({ is_active: true, option, value });
  let devices = 0;

  beforeAll(async () => {
    token = (await api.user('tenant-admin')).token;
  });

  beforeEach(async () => {
    location = (await make('panel/location', { name: 'Venue' })).id;
    await make('panel/location/user-profile', {
      location_id: location,
      name: 'Standard',
      shared_user: 1,
      session_duration: on('hour', 2),
      max_upload: on('mbps', 5),
      max_download: on('mbps', 20),
      is_default: true,
    });
    const brands = (await api.get('panel/device/brands', { token })).body.data;
    device = await make('panel/device', {
      location_id: location,
      brand_id: brands.find((brand: { slug: string }) => brand.slug === 'mikrotik').id,
      name: 'Lobby',
      mac_address: `A1:00:00:00:00:${10 + ++devices}`,
    });
    await addVisitor('ada');
  });

  const addVisitor = (username: string, more: object = {}) =>
    make('panel/client', {
      location_id: location,
      name: username,
      provider_type: 'username',
      username,
      password: 'gizli 1',
      ...more,
    });

  /** Sends one request once; undefined when no answer arrives within some seconds. */
  function send(
    service: 'auth' | 'acct',
    wanted: Record<string, string | number>,
    { secret = device.secret, patience = 20 } = {},
  ) {
    const attributes = {
      'NAS-Identifier': device.nas_identifier,
      'NAS-IP-Address': '192.168.88.1',
      'Calling-Station-Id': mac,
      'Framed-IP-Address': '10.5.50.9',
      'User-Name': 'ada',
      ...(service === 'auth' ? { 'User-Password': 'gizli 1', 'Message-Authenticator': '0x00' } : {}),
      ...wanted,
    };
    const port = service === 'auth' ? auth : acct;
    const client = spawn('radclient', ['-x', '-r', '1', '-t', String(patience), `127.0.0.1:${port}`, service, secret]);
    let said = '';
    client.stdout.on('data', chunk => (said += chunk));
    client.stdin.end(
      Object.entries(attributes)
        .map(([name, value]) => `${name} = ${typeof value === 'number' || /^0x/.test(value) ? value : `"${value}"`}\n`)
        .join(''),
    );
    return new Promise<Reply | undefined>(resolve => client.on('close', () => resolve(read(said))));
  }

  const refused = (reason: SignInRefusal) => ({
    code: 'Access-Reject',
    attributes: { 'Reply-Message': signInRefusals[reason].en },
  });

  test('accepts a guest with the limits of the profile, for MikroTik and for others', async () => {
    await api.put(`panel/location/${location}`, {
      token,
      body: { daily_bandwidth: 10.5, daily_bandwidth_unit: 'gb', daily_bandwidth_enabled: true },
    });
    const reply = await send('auth', {});
    expect(reply).toMatchObject({
      code: 'Access-Accept',
      attributes: {
        'Session-Timeout': '7200',
        'Acct-Interim-Interval': '60',
        'Idle-Timeout': '900',
        // The guest's upload comes first: it is the rate that the router receives.
        'Mikrotik-Rate-Limit': '5M/20M',
        'WISPr-Bandwidth-Max-Up': '5000000',
        'WISPr-Bandwidth-Max-Down': '20000000',
        'Mikrotik-Total-Limit': String(10.5e9 % 2 ** 32),
        'Mikrotik-Total-Limit-Gigawords': String(Math.floor(10.5e9 / 2 ** 32)),
      },
    });
    expect(reply?.attributes['Class']).toMatch(/^0x[0-9a-f]{20,}$/);
    expect(reply?.attributes['Message-Authenticator']).toBeDefined();
  });

  test('prefers the limits of the visitor to those of the profile', async () => {
    await addVisitor('grace', {
      special_profile: true,
      shared_user: 3,
      session_duration: on('minute', 30),
      max_download: on('kbps', 512),
    });
    const reply = await send('auth', { 'User-Name': 'grace' });
    expect(reply).toMatchObject({
      code: 'Access-Accept',
      attributes: { 'Session-Timeout': '1800', 'Mikrotik-Rate-Limit': '0/512k', 'WISPr-Bandwidth-Max-Down': '512000' },
    });
    expect(reply?.attributes).not.toHaveProperty('WISPr-Bandwidth-Max-Up');
    expect(reply?.attributes).not.toHaveProperty('Mikrotik-Total-Limit');
  });

  test('accepts CHAP', async () => {
    const byChap = { 'User-Password': '', 'CHAP-Password': 'gizli 1' };
    expect(await send('auth', byChap)).toMatchObject({ code: 'Access-Accept' });
    expect(await send('auth', { ...byChap, 'CHAP-Password': 'gizli 2' })).toMatchObject(refused('wrong_credentials'));
  });

  test('tells EAP and MS-CHAP that they are not supported, lists them, and counts no guess', async () => {
    const mschap = { 'MS-CHAP-Challenge': `0x${'a1'.repeat(16)}`, 'MS-CHAP2-Response': `0x${'00'.repeat(50)}` };
    for (const proof of [{ 'EAP-Message': '0x02010008016164' }, mschap])
      expect(await send('auth', { 'User-Password': '', ...proof })).toMatchObject(refused('unsupported_method'));
    expect(await send('auth', {})).toMatchObject({ code: 'Access-Accept' });
    const [failed] = (await api.get(`panel/failed-login?deviceIds=${device.id}`, { token })).body.data;
    const attempt = { reason: 'unsupported_method', params: { username: 'ada' }, is_known: null };
    expect(failed).toMatchObject({ total: 2, client_mac: mac.toUpperCase(), attempts: [attempt, attempt] });
  });

  test('rejects a wrong password and an unknown name in the same way', async () => {
    expect(await send('auth', { 'User-Password': 'gizli 2' })).toMatchObject(refused('wrong_credentials'));
    expect(await send('auth', { 'User-Name': 'eve' })).toMatchObject(refused('wrong_credentials'));
  });

  test('rejects a blocked device for every visitor', async () => {
    await make(`panel/device/${device.id}/macs`, { mac, type: 'blocked' });
    expect(await send('auth', {})).toMatchObject(refused('blocked'));
    expect(await send('auth', { 'Calling-Station-Id': 'A0:00:00:00:00:02' })).toMatchObject({ code: 'Access-Accept' });
  });

  test('rejects a second device until the first has left', async () => {
    const { attributes } = (await send('auth', {})) as Reply;
    const session = { 'Acct-Session-Id': '8000000a', Class: attributes['Class'] as string };
    await send('acct', { ...session, 'Acct-Status-Type': 'Start' });
    const second = { 'Calling-Station-Id': 'A0:00:00:00:00:02', 'Framed-IP-Address': '10.5.50.10' };
    expect(await send('auth', second)).toMatchObject(refused('over_limit'));
    await send('acct', { ...session, 'Acct-Status-Type': 'Stop' });
    expect(await send('auth', second)).toMatchObject({ code: 'Access-Accept' });
  });

  test('rejects before and after a visitor’s validity', async () => {
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    await addVisitor('early', { session_start_at: inDays(1), session_end_at: inDays(2) });
    await addVisitor('late', { session_start_at: inDays(-2), session_end_at: inDays(-1) });
    expect(await send('auth', { 'User-Name': 'early' })).toMatchObject(refused('not_yet'));
    expect(await send('auth', { 'User-Name': 'late' })).toMatchObject(refused('expired'));
  });

  test('rejects while the hotspot is off, and without a valid licence', async () => {
    await api.patch(`panel/device/${device.id}/management/disableHotspot`, { token });
    expect(await send('auth', {})).toMatchObject(refused('hotspot_off'));
    await api.inTenant(tx =>
      tx.run(
        sql`with l as (update locations set trial_end_at = now() - interval '2 s') update devices set trial_end_at = now() - interval '2 s'`,
      ),
    );
    expect(await send('auth', {})).toMatchObject(refused('license_over'));
    await api.post(`panel/location/${location}/license`, { token, body: { year: 1 } });
    await api.patch(`panel/device/${device.id}/management/enableHotspot`, { token });
    expect(await send('auth', {})).toMatchObject({ code: 'Access-Accept' });
  });

  test('does not answer unknown devices and wrong secrets', async () => {
    const stop = { 'Acct-Status-Type': 'Stop', 'Acct-Session-Id': '8000000b' };
    const stranger = { secret: 'not the secret', patience: 1 };
    const answers = await Promise.all([
      send('auth', { 'NAS-Identifier': 'nosuchrouter' }, { patience: 1 }),
      send('auth', {}, stranger),
      send('acct', { ...stop, 'NAS-Identifier': 'nosuchrouter' }, { patience: 1 }),
      send('acct', stop, stranger),
    ]);
    expect(answers).toEqual([undefined, undefined, undefined, undefined]);
    expect((await sessions()).history).toEqual([]);
  });

  test('shows a session online immediately and later in the history, with bytes beyond 32 bits', async () => {
    const { attributes } = (await send('auth', {})) as Reply;
    const tell = (status: string, more: Record<string, string | number> = {}) =>
      send('acct', {
        'Acct-Status-Type': status,
        'Acct-Session-Id': '8000000c',
        Class: attributes['Class'] as string,
        ...more,
      });
    const traffic = (upload: number, download: number, seconds: number) => ({
      'Acct-Session-Time': seconds,
      'Acct-Input-Octets': upload % 2 ** 32,
      'Acct-Input-Gigawords': Math.floor(upload / 2 ** 32),
      'Acct-Output-Octets': download % 2 ** 32,
      'Acct-Output-Gigawords': Math.floor(download / 2 ** 32),
    });
    const acknowledged = { code: 'Accounting-Response' };

    expect(await tell('Start')).toMatchObject(acknowledged);
    const row = { name: 'ada', client_mac: mac, client_ip: '10.5.50.9', upload: 0, download: 0 };
    expect((await sessions()).online).toMatchObject([row]);

    expect(await tell('Interim-Update', traffic(5e9, 20e9, 60))).toMatchObject(acknowledged);
    expect((await sessions()).online).toMatchObject([{ ...row, upload: 5e9, download: 20e9 }]);

    expect(await tell('Stop', { ...traffic(6e9, 7e12, 120), 'Acct-Terminate-Cause': 'User-Request' })).toMatchObject(
      acknowledged,
    );
    const after = await sessions();
    expect(after.online).toEqual([]);
    expect(after.history).toMatchObject([
      { client: { name: 'ada' }, client_mac: mac, upload: 6e9, download: 7e12, ended_at: expect.any(String) },
    ]);
  });

  /** The sessions that the operator of the location sees. */
  async function sessions() {
    await api.post(`panel/user/team/change/${location}`, { token });
    const online = (await api.get('panel/onlines', { token })).body.data;
    const history = (await api.get('panel/reports/sessions', { token })).body.data;
    await api.post('panel/user/team/change/all', { token });
    return { online, history };
  }
});

/** Parses the output of radclient -x: the code of the reply, followed by one line per attribute. */
function read(said: string): Reply | undefined {
  const received = /^Received (\S+) .*\n((?:\t.*\n)*)/m.exec(said);
  if (!received) return undefined;
  const [, code = '', lines = ''] = received;
  const attributes = [...lines.matchAll(/^\t(\S+) = "?(.*?)"?$/gm)].map(([, name = '', value = '']) => [name, value]);
  return { code, attributes: Object.fromEntries(attributes) };
}
