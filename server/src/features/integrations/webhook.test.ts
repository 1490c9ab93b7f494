import { createHmac } from 'node:crypto';
import sql from 'sql-template-tag';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { watchDevices } from '#features/devices/watch.jobs.ts';
import { sessionJobs } from '#features/sessions/sessions.jobs.ts';
import { type Body, startApi, type TestApi } from '#test/harness.ts';
import { integrationJobs } from './integrations.jobs.ts';
import { startReceiver } from './testing/receiver.ts';

let api: TestApi;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
/** Each test has a webhook of its own, at a location with a member and a device. */
let token: string;
let location: string;
let device: string;
let made: Body;

const job = integrationJobs.find(it => it.name === 'webhooks')!;
const send = () => job.run(api.app);
const sendAll = () => api.inTenant(tx => tx.run(sql`update webhook_deliveries set next_at = now()`)).then(send);
const path = (rest = '') => `panel/integration/${made.id}${rest}`;
const log = async () => (await api.get(path('/deliveries'), { token })).body.data as Body[];

beforeAll(async () => {
  api = await startApi({ INTEGRATIONS_INSIDE: '1' });
  receiver = await startReceiver();
});

let scenes = 0;
beforeEach(async () => {
  receiver.answer(() => ({}));
  const admin = await api.user('tenant-admin');
  location = await api.location(admin.token, 'Otel');
  token = (await api.user('member', { location })).token;
  const brands = (await api.get('panel/device/brands', { token })).body.data;
  const body = {
    location_id: location,
    brand_id: brands.find((it: Body) => it.slug === 'mikrotik').id,
    name: 'Router',
    mac_address: `A1:B2:C3:D4:E6:${String(++scenes).padStart(2, '0')}`,
  };
  device = (await api.post('panel/device', { token, body })).body.data.id;
  const events = [
    'guest.online',
    'guest.offline',
    'visitor.created',
    'sale.created',
    'sale.reversed',
    'device.offline',
    'device.online',
    'survey.answered',
  ];
  const connection = { type: 'webhook', url: `${receiver.url}/hook`, events };
  const form = { name: 'CRM', location_id: location, integration_id: 'webhook', params: { connection } };
  const answer = await api.post('panel/integration', { token, body: form });
  expect(answer.status, answer.text).toBe(201);
  made = answer.body.data;
  receiver.requests.length = 0;
});
// Without this, it would get the events of later tests.
afterEach(async () => {
  expect((await api.delete(path(), { token })).status).toBe(204);
});

/** The verification of the Standard Webhooks specification. */
function signatures(requests: (typeof receiver.requests)[number], secret: string): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': given } = requests.headers;
  const right = `v1,${createHmac('sha256', key)
    .update(`${String(id)}.${String(at)}.${requests.body}`)
    .digest('base64')}`;
  return Math.abs(Date.now() / 1000 - Number(at)) < 60 && String(given).split(' ').includes(right);
}

const visitor = (name: string) =>
  api.post('panel/client', {
    token,
    body: { location_id: location, name, provider_type: 'username', username: name.toLowerCase(), password: 'gizli-1' },
  });
const account = (status: string, session: string) =>
  api.app.db.withSystem(async tx => {
    const { tenant_id } = await tx.one<{ tenant_id: string }>(sql`select tenant_id from devices where id = ${device}`);
    const it = {
      tenant: tenant_id,
      device,
      status,
      session,
      user_name: 'ada',
      mac: 'A1:B2:C3:D4:E5:05',
      ip: '10.9.0.5',
    };
    const all = [{ ...it, at: new Date(), seconds: 60, upload: 10, download: 20 }];
    await tx.run(sql`select account(${JSON.stringify(all)}::jsonb)`);
  });

describe('a webhook', () => {
  test('gets signed events of visitors and of guests who come and go, once each', async () => {
    expect((await visitor('Ada')).status).toBe(201);
    await account('start', 's1');
    await account('interim', 's1');
    await account('stop', 's1');
    await send();
    await send();
    const events = receiver.requests.map(it => JSON.parse(it.body));
    expect(events.map(it => it.type).sort()).toEqual(['guest.offline', 'guest.online', 'visitor.created']);
    expect(events.find(it => it.type === 'guest.online').data).toMatchObject({
      mac: 'A1:B2:C3:D4:E5:05',
      ip: '10.9.0.5',
      location_id: location,
      visitor: { name: 'Ada' },
    });
    expect(events.find(it => it.type === 'guest.offline').data).toMatchObject({ seconds: 60, download_bytes: 20 });
    for (const it of receiver.requests) {
      expect(it).toMatchObject({ method: 'POST', path: '/hook' });
      expect(signatures(it, made.secret)).toBe(true);
      expect(it.body).not.toContain('gizli-1');
    }
    for (const it of (await log()).slice(0, 3)) expect([it.state, it.status]).toEqual(['delivered', 200]);
    const shown = await api.get(path(), { token });
    expect([shown.status, shown.text]).toEqual([200, expect.not.stringContaining('whsec_')]);
  });

  test('gets a session that is found again after it was lost as online once', async () => {
    await account('start', 's9');
    await api.app.db.withSystem(tx =>
      tx.run(sql`update online_sessions set updated_at = now() - interval '3 hours' where device_id = ${device}`),
    );
    await sessionJobs.find(it => it.name === 'close stale sessions')!.run(api.app);
    await account('interim', 's9');
    await send();
    expect(receiver.requests.map(it => JSON.parse(it.body).type).sort()).toEqual(['guest.offline', 'guest.online']);
    await account('stop', 's9');
  });

  test('gets a sale and its reversal', async () => {
    const paid = { is_active: true, option: 'try', value: 50 };
    const profile = await api.post('panel/location/user-profile', {
      token,
      body: { name: 'Ücretli', location_id: location, paid_sale: paid },
    });
    const body = {
      location_id: location,
      name: 'Can',
      provider_type: 'username',
      username: 'can',
      password: 'gizli-2',
      profile_id: profile.body.data.id,
      total_paid_day: 3,
    };
    const answer = await api.post('panel/client', { token, body });
    expect(answer.status, answer.text).toBe(201);
    await send();
    const sale = receiver.requests.map(it => JSON.parse(it.body)).find(it => it.type === 'sale.created');
    expect(sale.data).toMatchObject({ days: 3, total: 150, currency: 'try' });
    receiver.requests.length = 0;
    const reversal = { days: 1, reason: 'Yanlış' };
    const reversed = await api.post(`panel/reports/sales/${sale.data.id}/reverse`, { token, body: reversal });
    expect(reversed.status, reversed.text).toBe(201);
    await send();
    const types = receiver.requests.map(it => JSON.parse(it.body)).map(it => [it.type, it.data.days]);
    expect(types, 'and nothing that it did not choose, such as the change of the visitor').toEqual([
      ['sale.reversed', -1],
    ]);
  });

  test('gets a device that went offline, and came back', async () => {
    const later = (seconds: number) =>
      api.inTenant(tx =>
        tx.run(sql`update devices set last_seen_at = last_seen_at - make_interval(secs => ${seconds}::int),
          polled_at = polled_at - make_interval(secs => ${seconds}::int), down_since = down_since - make_interval(secs => ${seconds}::int)
          where id = ${device}`),
      );
    await api.inTenant(tx =>
      tx.run(sql`update devices set last_seen_at = now(), polled_at = now(), down_since = null where id = ${device}`),
    );
    for (let passed = 0; passed < 600; passed += 30) {
      await later(30);
      await watchDevices(api.app);
    }
    await send();
    expect(receiver.requests).toHaveLength(1);
    expect(JSON.parse(receiver.requests[0]!.body)).toMatchObject({
      type: 'device.offline',
      data: { id: device, name: 'Router', location_id: location },
    });
    expect(signatures(receiver.requests[0]!, made.secret)).toBe(true);
    await api.inTenant(tx =>
      tx.run(sql`update devices set last_seen_at = now(), polled_at = now(), down_since = null,
        up_since = now() - interval '3 minutes' where id = ${device}`),
    );
    await watchDevices(api.app);
    await watchDevices(api.app);
    await send();
    expect(receiver.requests.map(it => JSON.parse(it.body).type)).toEqual(['device.offline', 'device.online']);
  });

  test('keeps no data of a deleted visitor in sent or waiting deliveries', async () => {
    const gone = (await visitor('Zeynep')).body.data;
    await visitor('Deniz');
    await send();
    expect((await log()).filter(it => it.body.includes('Zeynep'))).toHaveLength(1);
    expect((await api.delete(`panel/client/${gone.id}`, { token })).status).toBe(204);
    const kept = await log();
    expect(kept.filter(it => it.body.includes('Zeynep'))).toEqual([]);
    expect(kept.filter(it => it.body.includes('Deniz'))).toHaveLength(1);
    receiver.requests.length = 0;
    const brief = (await visitor('Yasemin')).body.data;
    await api.delete(`panel/client/${brief.id}`, { token });
    await send();
    expect(receiver.requests.filter(it => it.body.includes('Yasemin'))).toEqual([]);
  });

  test('that fails is retried with growing pauses under the same id; its failure and recovery are notified once', async () => {
    receiver.answer(() => ({ status: 503 }));
    await visitor('Efe');
    /** The seconds until the next try, at least. */
    const pauseAfter = async (work: () => Promise<unknown>) => {
      const begun = Date.now();
      await work();
      return (Date.parse((await log())[0].next_at) - begun) / 1000;
    };
    const first = await pauseAfter(send);
    expect((await log())[0]).toMatchObject({ state: 'waiting', status: 503, attempts: 1 });
    expect(first).toBeGreaterThan(5);
    await api.inTenant(tx => tx.run(sql`update webhook_deliveries set next_at = next_at + interval '1 hour'`));
    await send();
    expect((await log())[0].attempts, 'not before its time').toBe(1);
    for (let i = 0; i < 2; i++) await sendAll();
    expect(await pauseAfter(sendAll)).toBeGreaterThan(first);
    expect((await log())[0].attempts).toBe(4);
    expect(new Set(receiver.requests.map(it => it.headers['webhook-id'])).size).toBe(1);
    const turkish = (await api.get(path(), { token, language: 'tr' })).body.data;
    expect(turkish.last_error).toBe('Karşı taraf kabul etmedi: HTTP 503');
    receiver.answer(() => ({ status: 204 }));
    await sendAll();
    expect((await api.get(path(), { token })).body.data.last_error).toBeNull();
    const notices = (await api.get('panel/notification', { token, language: 'tr' })).body.data as Body[];
    expect(notices.filter(it => it.kind === 'integration_failing').map(it => it.body)).toEqual([
      'Karşı taraf kabul etmedi: HTTP 503',
    ]);
    expect(notices.filter(it => it.kind === 'integration_recovered')).toHaveLength(1);
  });

  test('that answers 410 is not retried automatically, only by hand', async () => {
    receiver.answer(() => ({ status: 410 }));
    await visitor('Naz');
    await send();
    const [given] = await log();
    expect(given).toMatchObject({ state: 'failed', status: 410, next_at: null });
    await sendAll();
    expect(receiver.requests).toHaveLength(1);
    receiver.answer(() => ({}));
    const again = await api.post(path(`/deliveries/${given.id}/resend`), { token });
    expect([again.status, again.body.data.state]).toEqual([200, 'waiting']);
    await send();
    expect((await log())[0].state).toBe('delivered');
    expect(receiver.requests[1]!.headers['webhook-id']).toBe(given.id);
    expect((await api.get(path('/deliveries?state=failed'), { token })).body.meta.total).toBe(0);
  });

  test('sends all that failed since a time again, once, under their ids', async () => {
    receiver.answer(() => ({ status: 410 }));
    for (const name of ['Ali', 'Veli', 'Can Su']) await visitor(name.replace(' ', ''));
    await send();
    const failed = (await log()).slice(0, 3);
    expect(failed.map(it => it.state)).toEqual(['failed', 'failed', 'failed']);
    await api.inTenant(tx =>
      tx.run(sql`update webhook_deliveries set created_at = now() - interval '2 hours' where id = ${failed[2]!.id}`),
    );
    receiver.answer(() => ({}));
    receiver.requests.length = 0;
    const since = new Date(Date.now() - 3_600_000).toISOString();
    const again = (body: object, as = token) => api.post(path('/deliveries/resend'), { token: as, body });
    expect((await again({ since: '2026-11-20T10:00:00' })).body.errors).toHaveProperty('since');
    expect((await again({})).body.errors).toHaveProperty('since');
    const reader = (await api.user('member', { location, permissions: ['view-integrations'] })).token;
    expect((await again({ since }, reader)).status).toBe(403);
    const other = await api.location((await api.user('tenant-admin')).token, 'Başka');
    expect((await again({ since }, (await api.user('member', { location: other })).token)).status).toBe(404);
    expect((await api.get(path('/deliveries?event=visitor.created&state=failed'), { token })).body.meta.total).toBe(3);
    expect((await api.get(path('/deliveries?event=survey.answered'), { token })).body.meta.total).toBe(0);
    const [first, second] = await Promise.all([again({ since }), again({ since })]);
    expect([first.body.data.count, second.body.data.count].sort()).toEqual([0, 2]);
    await send();
    expect(receiver.requests.map(it => it.headers['webhook-id']).sort()).toEqual(
      failed
        .slice(0, 2)
        .map(it => it.id)
        .sort(),
    );
    expect((await again({ since: '2026-01-01T00:00:00Z' })).body.data.count).toBe(1);
  });

  test('gets a new secret; for a day the old one signs too', async () => {
    const rotated = (await api.post(path('/secret'), { token })).body.data;
    expect(rotated.secret).not.toBe(made.secret);
    await visitor('Su');
    await send();
    expect([rotated.secret, made.secret].map(it => signatures(receiver.requests[0]!, it))).toEqual([true, true]);
    expect(signatures(receiver.requests[0]!, `whsec_${Buffer.from('another').toString('base64')}`)).toBe(false);
    // A day later.
    await api.inTenant(async tx => {
      const row = await tx.one<{ connection: string }>(sql`select connection from integrations where id = ${made.id}`);
      const open = JSON.parse(api.app.secrets.decrypt(row.connection));
      open.signing.old.until = new Date(Date.now() - 1000).toISOString();
      await tx.run(
        sql`update integrations set connection = ${api.app.secrets.encrypt(JSON.stringify(open))} where id = ${made.id}`,
      );
    });
    await visitor('Ege');
    await send();
    expect([rotated.secret, made.secret].map(it => signatures(receiver.requests[1]!, it))).toEqual([true, false]);
  });

  test('tells only what its maker may read in the panel', async () => {
    const permissions = ['view-integrations', 'store-integrations', 'update-integrations', 'view-devices'];
    const member = (await api.user('member', { location, permissions })).token;
    const form = (events: string[], url = `${receiver.url}/theirs`) => ({
      params: { connection: { type: 'webhook', url, events } },
    });
    const make = (events: string[]) =>
      api.post('panel/integration', {
        token: member,
        body: { name: 'Üye', location_id: location, integration_id: 'webhook', ...form(events) },
      });
    for (const event of [
      'member.created',
      'invitation.updated',
      'role.deleted',
      'report_mail.sent',
      'visitor.created',
    ]) {
      const refused = await make(['device.online', event]);
      expect([refused.status, Object.keys(refused.body.errors)], event).toEqual([422, ['params.connection.events']]);
      expect(refused.body.errors['params.connection.events'][0]).toContain(event);
    }
    const allowed = await make(['device.online', 'location.updated']);
    expect(allowed.status, allowed.text).toBe(201);
    const at = `panel/integration/${allowed.body.data.id}`;
    const change = (body: object, who = member) => api.put(at, { token: who, body });
    expect((await change(form(['device.online', 'role.created']))).status).toBe(422);
    // An event that another member has added stays at this address, and does not go to another one.
    const all = ['device.online', 'role.created'];
    expect((await change(form(all), token)).status).toBe(200);
    expect((await change({ name: 'Yeni', ...form(all) })).status).toBe(200);
    expect((await change(form([...all, 'member.deleted']))).status).toBe(422);
    expect((await change(form(all, `${receiver.url}/stolen`))).status).toBe(422);
    expect((await change(form(['device.online'], `${receiver.url}/moved`))).status).toBe(200);
    expect((await api.delete(at, { token })).status).toBe(204);
  });

  test('keeps a secret that was rotated while a change of the webhook was checked', async () => {
    const secretIn = (connection: string) => JSON.parse(api.app.secrets.decrypt(connection)).signing.secret;
    const rotated = `whsec_${Buffer.from('rotated meanwhile').toString('base64')}`;
    const stored = sql`select connection from integrations where id = ${made.id} for update`;
    const change = await api.inTenant(async tx => {
      const open = JSON.parse(api.app.secrets.decrypt((await tx.one<{ connection: string }>(stored)).connection));
      const body = { params: { connection: { type: 'webhook', url: open.url, events: ['visitor.created'] } } };
      const put = api.put(`panel/integration/${made.id}`, { token, body });
      // The change has read the row, and waits for its lock.
      await vi.waitFor(async () => {
        const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
        expect((await api.app.db.pool.query(waiting)).rows).not.toEqual([]);
      }, 10_000);
      const connection = api.app.secrets.encrypt(JSON.stringify({ ...open, signing: { secret: rotated } }));
      await tx.run(sql`update integrations set connection = ${connection} where id = ${made.id}`);
      return { put };
    });
    expect((await change.put).status).toBe(200);
    const [row] = await api.inTenant(tx => tx.many<{ connection: string }>(stored));
    expect(secretIn(row!.connection)).toBe(rotated);
  });

  test('follows no redirects, reaches no private network and does not show the response', async () => {
    receiver.answer(it =>
      it.path === '/hook' ? { status: 302, headers: { location: `${receiver.url}/inside` } } : {},
    );
    await visitor('Oya');
    await send();
    expect(receiver.requests.map(it => it.path)).toEqual(['/hook']);
    receiver.answer(() => ({ status: 500, body: 'the secret of that machine' }));
    await sendAll();
    expect(JSON.stringify(await log())).not.toContain('secret of that machine');
    const strict = await startApi({ INTEGRATIONS_INSIDE: '0' });
    const other = (await strict.user('tenant-admin')).token;
    for (const url of [
      'http://127.0.0.1:1/',
      'http://localhost/',
      'http://169.254.169.254/latest',
      'http://[::1]/',
      'http://[::ffff:a9fe:a9fe]/',
      'http://[2002:7f00:1::]/',
      'http://[64:ff9b:1::7f00:1]/',
      'http://0x7f.1/',
    ]) {
      const body = { type: 'webhook', url, events: ['guest.online'] };
      const answer = await strict.post('panel/integration/test', { token: other, body });
      expect([answer.status, answer.body.errors?.url?.[0]], url).toEqual([422, expect.stringContaining('not allowed')]);
    }
    for (const url of ['ftp://example.com/', 'file:///etc/passwd', 'https://user:pw@example.com/', 'x']) {
      const body = { type: 'webhook', url, events: ['guest.online'] };
      expect((await strict.post('panel/integration/test', { token: other, body })).body.errors, url).toHaveProperty(
        'url',
      );
    }
    const withUser = { type: 'webhook', url: 'https://user:pw@example.com/', events: ['guest.online'] };
    const told = await strict.post('panel/integration/test', { token: other, body: withUser });
    expect(told.body.errors).toEqual({ url: ['Enter the address without a username and password.'] });
  });

  test('can be tested before and after it is made', async () => {
    const connection = { type: 'webhook', url: `${receiver.url}/try`, events: ['guest.online'] };
    const tried = await api.post('panel/integration/test', { token, body: connection });
    expect([tried.status, tried.body.data]).toEqual([200, [{ name: 'status', value: '200' }]]);
    expect(receiver.requests.at(-1)).toMatchObject({ path: '/try' });
    expect(receiver.requests.at(-1)!.headers['webhook-signature']).toBeUndefined();
    expect((await api.post(path('/test'), { token, body: connection })).status).toBe(200);
    expect(receiver.requests.at(-1)!.headers['webhook-signature']).toMatch(/^v1,/);
  });

  test('is limited to its location: no events, users or changes of another one', async () => {
    const admin = (await api.user('tenant-admin')).token;
    const other = await api.location(admin, 'Öteki');
    const stranger = (await api.user('member', { location: other })).token;
    const theirs = await api.post('panel/client', {
      token: stranger,
      body: { location_id: other, name: 'Yad', provider_type: 'username', username: 'yad', password: 'gizli-3' },
    });
    expect(theirs.status, theirs.text).toBe(201);
    await send();
    expect(receiver.requests).toHaveLength(0);
    await visitor('Yakın');
    const [row] = await log();
    expect((await api.get(path('/deliveries'), { token: stranger })).status).toBe(404);
    expect((await api.post(path('/secret'), { token: stranger })).status).toBe(404);
    expect((await api.post(path(`/deliveries/${row.id}/resend`), { token: stranger })).status).toBe(404);
    const reader = (await api.user('member', { location, permissions: ['view-integrations'] })).token;
    expect((await api.get(path('/deliveries'), { token: reader })).status).toBe(200);
    expect((await api.post(path('/secret'), { token: reader })).status).toBe(403);
  });

  test('shows each event only to those who may read the same in the panel', async () => {
    const admin = (await api.user('tenant-admin')).token;
    const connection = { type: 'webhook', url: receiver.url, events: ['visitor.created', 'role.created'] };
    const form = { name: 'Ekip', location_id: location, integration_id: 'webhook', params: { connection } };
    const made = await api.post('panel/integration', { token: admin, body: form });
    expect(made.status, made.text).toBe(201);
    const at = `panel/integration/${made.body.data.id}`;
    const body = { name: 'Gizli nöbet', permissions: ['view-clients'] };
    expect((await api.post(`panel/location/${location}/role`, { token: admin, body })).status).toBe(201);
    await visitor('Gizem');
    const reads = async (...permissions: string[]) => {
      const reader = await api.user('member', { location, permissions: ['view-integrations', ...permissions] });
      const { text } = await api.get(`${at}/deliveries`, { token: reader.token });
      expect(text).toContain('role.created');
      return { guest: text.includes('Gizem'), team: text.includes('Gizli nöbet') };
    };
    expect(await reads()).toEqual({ guest: false, team: false });
    expect(await reads('view-clients')).toEqual({ guest: true, team: false });
    expect(await reads('update-location')).toEqual({ guest: false, team: true });
    await api.delete(at, { token: admin });
  });

  test('is not available to members limited to some devices, and shows no guest without view-clients', async () => {
    await visitor('Gizem');
    const read = async (who: object) => {
      const { token: reader } = await api.user('member', { location, ...who });
      return (await api.get(path('/deliveries'), { token: reader })).text;
    };
    expect(await read({})).toContain('Gizem');
    const few = { permissions: ['view-integrations'] };
    const one = { deviceIds: ['00000000-0000-4000-8000-000000000000'] };
    for (const who of [few, one]) {
      const text = await read(who);
      expect(text).toContain('visitor.created');
      expect(text).not.toContain('Gizem');
    }
    const limited = (await api.user('member', { location, ...one })).token;
    const connection = { type: 'webhook', url: 'https://example.com/', events: ['guest.online'] };
    const form = { name: 'x', location_id: location, integration_id: 'webhook', params: { connection } };
    expect((await api.post('panel/integration', { token: limited, body: form })).status).toBe(403);
    const change = { name: 'x', params: { connection } };
    expect((await api.put(path(), { token: limited, body: change })).status).toBe(403);
    expect((await api.post(path('/secret'), { token: limited })).status).toBe(403);
  });
});
