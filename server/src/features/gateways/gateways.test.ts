import { createCipheriv, createHash } from 'node:crypto';
import sql, { type Sql } from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { cookiesOf, newGuestEachTest, startVenue, stateOf, type Venue } from '#features/guests/testing/venue.ts';
import { keepUnreported } from '#features/sessions/unreported.ts';
import type { Body } from '#test/harness.ts';

/** A gateway that fetches permissions (openNDS), from the arrival of a guest to the end of its session. */

let venue: Venue;
let device: Body;
let faskey: string;
/** Where the gateway sends its guests, and where it and its script call. */
let path: string;
let scriptPath: string;
beforeAll(async () => {
  venue = await startVenue({ CAPTIVE_URL: 'https://guests.example' });
  const brands = (await venue.api.get('panel/device/brands', { token: venue.admin })).body.data;
  const brand_id = brands.find((brand: Body) => brand.slug === 'opennds').id;
  const form = { name: 'NDS', brand_id, mac_address: '02:00:00:00:0A:01', location_id: venue.location };
  device = await venue.create('panel/device', form);
  const files: Body[] = (await venue.api.get(`panel/device/${device.id}/setup-files`, { token: venue.admin })).body
    .data;
  const conf: string = files.find(it => it.name.includes('opennds.conf'))!.text;
  faskey = /^faskey (\w+)$/m.exec(conf)![1]!;
  path = /^faspath (\S+)$/m.exec(conf)![1]!;
  expect(conf).toContain('fas_secure_enabled 3\n');
  scriptPath = new URL(/^url='(.+)'$/m.exec(files[0]!.text)![1]!).pathname;
  expect(files.find(it => it.name === 'OpenWrt: terminal')!.text).toContain(`faspath='${path}'`);
}, 120_000);
newGuestEachTest(() => venue);

const sha = (text: string) => createHash('sha256').update(text).digest('hex');
let tokens = 0;
/** The guest's token at the gateway. */
const newToken = () => sha(`token ${++tokens}`).slice(0, 8);

/** The query of a redirect at level 3; `iv` empty: at level 4. */
function fas(token: string, more: Record<string, string> = {}, iv = '0123456789abcdef', key = faskey): string {
  const facts = Object.entries({
    ...{ hid: sha(token), clientip: '10.77.0.5', clientmac: venue.mac.toLowerCase(), client_type: 'cpi_url' },
    ...{
      gatewayname: 'Guest%20Wi-Fi',
      gatewayaddress: '10.77.0.1:2050',
      originurl: 'http%3A%2F%2Fexample.com%2Fnews',
      ...more,
    },
  });
  const plain = facts.map(([name, value]) => `${name}=${value}`).join(', ');
  if (!iv) return new URLSearchParams({ fas: Buffer.from(plain).toString('base64') }).toString();
  const cipher = createCipheriv('aes-256-cbc', Buffer.concat([Buffer.from(key), Buffer.alloc(32)]).subarray(0, 32), iv);
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()]).toString('base64');
  return new URLSearchParams({ fas: Buffer.from(sealed).toString('base64'), iv }).toString();
}

const base64 = (text: string) => Buffer.from(text).toString('base64');
const call = (auth_get: string, payload: string, at = path) =>
  venue.captive.form(at, { auth_get, gatewayhash: sha('name'), payload: base64(payload) });
const text = async (auth_get: string, payload: string) => (await call(auth_get, payload)).html;

async function signIn(token: string, username?: string, query = fas(token), at = path) {
  const name = username ?? (await venue.visitor());
  const page = await venue.captive.get(`${at}?${query}`);
  expect(page.status, page.html).toBe(200);
  const form = { state: stateOf(page.html), method: 'username', username: name, password: 'parola 1' };
  return venue.captive.form(`/w/${device.nas_identifier}/sign-in`, form);
}
const online = (): Promise<Body[]> =>
  venue.rows(
    sql`select upper(client_mac::text) as mac, visitor_id, upload, download, user_name from online_sessions where device_id = ${device.id}`,
  );
const ofGuest = async () => (await online()).find(it => it.mac === venue.mac);
const past = (): Promise<Body[]> =>
  venue.rows(
    sql`select close_reason, terminate_cause, upload, download from session_history where client_mac = ${venue.mac}::macaddr`,
  );
const sendReport = (body: string, at = scriptPath) =>
  venue.captive.ask(at, { method: 'POST', body, headers: { 'content-type': 'application/x-www-form-urlencoded' } });
const report = (guests: { mac: string; token: string; down?: number; state?: string }[]) => {
  const lines = guests.map(
    it => `"mac":"${it.mac.toLowerCase()}",\n"token":"${it.token}",\n"state":"${it.state ?? 'Authenticated'}",\n
    "download_this_session":"${it.down ?? 0}",\n"upload_this_session":"3",\n`,
  );
  return sendReport(`"client_list_length":"${guests.length}",\n${lines.join('')}`);
};
const asSystem = (query: Sql) => venue.api.app.db.withSystem(tx => tx.run(query));
/** Moves the start of the sessions back by two minutes. */
const settle = () =>
  asSystem(
    sql`update online_sessions set started_at = started_at - interval '2 minutes', updated_at = updated_at - interval '1 minute' where device_id = ${device.id}`,
  );

async function comeOnline(token: string): Promise<void> {
  expect((await signIn(token)).status).toBe(303);
  expect(await text('view', `* ${venue.mac.toLowerCase()}`)).toBe('ack');
  expect(await ofGuest()).toBeDefined();
}

describe('a permission', () => {
  test('waits until the gateway fetches it, and the session begins when it confirms', async () => {
    const profile = await venue.create('panel/location/user-profile', {
      ...{ name: 'Limits', location_id: venue.location, shared_user: 1 },
      session_duration: { is_active: true, option: 'hour', value: 2 },
      session_quota: { is_active: true, option: 'mb', value: 300 },
      max_upload: { is_active: true, value: 2 },
      max_download: { is_active: true, value: 8 },
    });
    const answer = await signIn(newToken(), await venue.visitor({ profile_id: profile.id }));
    expect(answer.headers.get('location')).toContain(`/w/${device.nas_identifier}/online?new=1`);
    expect(await ofGuest()).toBeUndefined();
    const list = await text('view', 'none');
    const [star, ...entries] = list.split(' ');
    expect(star).toBe('*');
    expect(decodeURIComponent(entries.find(it => decodeURIComponent(it).startsWith(venue.mac.toLowerCase()))!)).toMatch(
      /^[0-9a-f:]{17} 120 2000 8000 300000 300000 [A-Za-z0-9+/=]+$/,
    );
    // A root shell evaluates it.
    expect(list).toMatch(/^\*( [A-Za-z0-9.%]+)*$/);
    await text('view', `* ${venue.mac.toLowerCase()}`);
    expect(await ofGuest()).toMatchObject({ visitor_id: expect.any(String), upload: 0 });
    expect(await text('view', 'none')).not.toContain(encodeURIComponent(venue.mac.toLowerCase()));
    const page = await venue.captive.get(`/w/${device.nas_identifier}/online?new=1`, { cookie: cookiesOf(answer) });
    expect(page.html).toContain('You are connected');
    const out = await venue.captive.form(`/w/${device.nas_identifier}/log-out`, {}, { cookie: cookiesOf(answer) });
    expect(out.headers.get('location')).toBe('http://10.77.0.1:2050/opennds_deny/');
  });

  test('at the address of a NAT, which the guest put into our link, makes no other guest look connected', async () => {
    const first = await venue.captive.get(`${path}?${fas(newToken())}`);
    const [nas, mac, , login] = JSON.parse(Buffer.from(stateOf(first.html).split('.')[0]!, 'base64url').toString());
    const link = new URLSearchParams({ mac, login, ip: '127.0.0.1' }).toString();
    expect((await signIn('', undefined, link, `/w/${nas}`)).status).toBe(303);
    await text('view', `* ${venue.mac.toLowerCase()}`);
    const at = await venue.rows(
      sql`select host(client_ip) as ip from online_sessions where client_mac = ${mac}::macaddr`,
    );
    expect(at).toEqual([{ ip: '127.0.0.1' }]);
    const other = await venue.captive.get(`/w/${nas}/online`);
    expect([other.status, other.html.includes('You are connected')]).toEqual([403, false]);
    expect((await venue.captive.get(`/captive/${nas}`)).status).toBe(404);
  });

  test('is fetched with a query by version 10, whose facts are not sealed', async () => {
    const token = newToken();
    await signIn(token, undefined, fas(token, {}, ''));
    const query = new URLSearchParams({ auth_get: 'view', gatewayhash: 'x', payload: base64('none') });
    expect((await venue.captive.get(`${path}?${query}`)).html).toContain(encodeURIComponent(venue.mac.toLowerCase()));
  });

  test('is spared by the start of the gateway while it is fresh', async () => {
    await signIn(newToken());
    await text('clear', 'none');
    expect(await text('view', 'none')).toContain(encodeURIComponent(venue.mac.toLowerCase()));
    await venue.run(sql`update waiting_grants set created_at = created_at - interval '1 minute'`);
    await text('clear', 'none');
    expect(await text('view', 'none')).toBe('*');
  });

  test('is not lost when the confirmation was: the report of the script begins the session', async () => {
    const token = newToken();
    await signIn(token);
    await report([{ mac: venue.mac, token }]);
    expect(await ofGuest()).toBeDefined();
  });
});

describe('a session', () => {
  test('ends with the bytes and the cause that the gateway tells', async () => {
    const token = newToken();
    await comeOnline(token);
    const entry = (named: string) =>
      `method=timeout_deauth, clientmac=${venue.mac.toLowerCase()}, bytes_incoming=2000, bytes_outgoing=500, session_start=100, session_end=160, token=${named}, custom=x`;
    // A guest who saw the path does not know the token.
    await text('deauthed', entry(newToken()));
    expect(await ofGuest()).toBeDefined();
    await text('deauthed', entry(token));
    expect(await ofGuest()).toBeUndefined();
    const ended = { close_reason: 'stop', terminate_cause: 'Session-Timeout', upload: 500, download: 2000 };
    expect(await past()).toMatchObject([ended]);
    await text('deauthed', entry(token));
    expect(await past()).toMatchObject([ended]);
  });

  test('is counted by the script, and closed when the gateway does not have it any more', async () => {
    const token = newToken();
    await comeOnline(token);
    await report([]);
    expect(await ofGuest(), 'it has just begun').toBeDefined();
    await settle();
    await report([{ mac: venue.mac, token, down: 1500 }]);
    expect(await ofGuest()).toMatchObject({ download: 1500 * 1024, upload: 3072 });
    await keepUnreported(venue.api.app);
    expect(await ofGuest()).toMatchObject({ download: 1500 * 1024 });
    await report([{ mac: venue.mac, token, state: 'Preauthenticated' }]);
    expect(await past()).toMatchObject([{ close_reason: 'stop', download: 1500 * 1024 }]);
  });

  test('goes on when we were silent for too long', async () => {
    const token = newToken();
    await comeOnline(token);
    await settle();
    await asSystem(
      sql`update online_sessions set updated_at = now() - interval '20 minutes' where device_id = ${device.id}`,
    );
    await asSystem(sql`select close_stale_sessions()`);
    expect(await ofGuest()).toBeUndefined();
    expect((await report([{ mac: venue.mac, token }])).html).toBe('');
    expect(await ofGuest()).toBeDefined();
  });

  test('is ended from the panel by the script, and truthfully not without it', async () => {
    const token = newToken();
    await comeOnline(token);
    await venue.run(sql`update devices set reported_at = null where id = ${device.id}`);
    const kick = async () => {
      const [row] = (await venue.api.get(`panel/onlines?mac=${venue.mac}`, { token: venue.admin })).body.data;
      return (await venue.api.post(`panel/kick/${row.rhid}`, { token: venue.admin, body: {} })).body.data;
    };
    expect(await kick()).toMatchObject({ state: 'no-answer', within: null });
    expect((await report([{ mac: venue.mac, token }])).html).toContain(venue.mac.toLowerCase());
    expect(await kick()).toMatchObject({ state: 'requested', within: 10 });
    expect((await report([{ mac: venue.mac, token }])).html).toBe(`${venue.mac.toLowerCase()}\n`);
    const [row] = (await venue.api.get(`panel/onlines?mac=${venue.mac}`, { token: venue.admin })).body.data;
    expect(row.kick.state).toBe('acknowledged');
    await settle();
    await report([]);
    expect(await past()).toMatchObject([{ close_reason: 'stop' }]);
  });
});

describe('a gateway without TLS', () => {
  test('gets the permission by the browser, and the session begins on its return', async () => {
    const [row] = await venue.rows<{ secret: string }>(sql`select secret from devices where id = ${device.id}`);
    const { fasKeys } = await import('#routers/opennds/fas.ts');
    const { carried } = fasKeys(venue.api.app.secrets.read(row!.secret)!);
    const token = newToken();
    const at = path.replace(/\w+$/, carried);
    const answer = await signIn(token, undefined, fas(token), at);
    const to = new URL(answer.headers.get('location')!);
    expect(to.origin + to.pathname).toBe('http://10.77.0.1:2050/opennds_auth/');
    expect(to.searchParams.get('tok')).toBe(sha(sha(token) + faskey));
    expect(await ofGuest()).toBeUndefined();
    const back = new URL(to.searchParams.get('redir')!);
    await venue.captive.get(back.pathname + back.search, { cookie: cookiesOf(answer) });
    expect(await ofGuest()).toBeDefined();
    // The script knows it by the gateway's name for it.
    await settle();
    await report([{ mac: venue.mac, token, down: 7 }]);
    expect(await ofGuest()).toMatchObject({ download: 7168 });
  });
});

describe('strangers', () => {
  test('get no page by an arrival that the gateway did not make', async () => {
    const token = newToken();
    for (const [what, at, query] of [
      ['another key', path, fas(token, {}, '0123456789abcdef', '0'.repeat(32))],
      ['another path', path.replace(/\w+$/, '0'.repeat(32)), fas(token)],
      ['the plain path', `/w/${device.nas_identifier}`, fas(token)],
      ['another device', path.replace(device.nas_identifier, venue.nas), fas(token)],
      ['no guest', path, fas(token, { clientmac: 'x' })],
      ['no name of the guest', path, fas(token, { hid: 'x' })],
      ['a public gateway', path, fas(token, { gatewayaddress: '8.8.8.8:80' })],
      ['a gateway with a name', path, fas(token, { gatewayaddress: 'evil.example:80' })],
      ['broken text', path, 'fas=%25%25%25&iv=0123456789abcdef'],
      ['an empty one', path, 'fas='],
    ] as const) {
      const page = await venue.captive.get(`${at}?${query}`);
      expect(page.status, what).toBeGreaterThanOrEqual(400);
      expect(page.status, what).toBeLessThan(500);
      expect(stateOf(page.html), what).toBe('');
    }
  });

  test('cannot call without the path, and change nothing with calls that make no sense', async () => {
    await signIn(newToken());
    const wrong = path.replace(/\w+$/, 'f'.repeat(32));
    expect((await call('view', 'none', wrong)).status).toBe(404);
    expect((await sendReport('"client_list_length":"0"', scriptPath.replace(/\w+$/, 'f'.repeat(32)))).status).toBe(404);
    expect((await sendReport('')).status).toBe(404);
    expect((await venue.captive.form(path, { payload: 'x' })).status).toBe(404);
    for (const [action, payload] of [
      ['deauthed', ''],
      ['deauthed', 'method=x, clientmac=zz, token=zz'],
      ['custom', '\u0000'],
      ['list', '* ; reboot'],
      ['drop', 'none'],
    ] as const)
      expect((await call(action, payload)).html).toMatch(/^(ack|\*.*)$/);
    expect(await text('view', 'none')).toContain(encodeURIComponent(venue.mac.toLowerCase()));
  });
});
