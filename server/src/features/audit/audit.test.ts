import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { startApi, type TestApi } from '#test/harness.ts';
import { changes } from './audit.service.ts';
import { audit, type Entry } from './public.ts';

let api: TestApi;
let admin: { id: string; email: string; token: string };
beforeAll(async () => {
  api = await startApi();
  admin = await api.user('tenant-admin');
});

const make = (name: string, token = admin.token) => api.location(token, name);
const write = (userId: string, entry: Entry) => api.inTenant(tx => audit(tx, { userId, ip: '192.0.2.7' }, entry));
const read = async (token: string, query = '') => (await api.get(`panel/audit${query}`, { token })).body;
const names = async (token: string, query = '') =>
  (await read(token, query)).data.map((it: { subject: { name: string } }) => it.subject.name).sort();
const device = (name: string) => ({ type: 'device' as const, id: null, name });

/** Things that several people change at once, each with its path, its form, and a change. */
const changedAtOnce: [string, (location: string) => Promise<{ at: string; form: object }>, (n: number) => object][] = [
  [
    'menu-product',
    async location_id => ({ at: 'panel/qrmenu/product', form: { location_id, title: 'Su', price: 1 } }),
    n => ({ price: 10 + n }),
  ],
  [
    'advertisement',
    async location_id => {
      const portal = await api.post('panel/portal', { token: admin.token, body: { name: 'Kapı', location_id } });
      const embed_code = '<iframe src="https://a.example"></iframe>';
      return { at: `panel/portal/${portal.body.data.id}/ads`, form: { name: 'Film', type: 'embed', embed_code } };
    },
    n => ({ weight: 2 + n }),
  ],
  [
    'report-mail',
    async location_id => {
      const recipients = [admin.email];
      const what = { frequency: 'weekly', reports: ['sessions'], language: 'en', is_active: true };
      return { at: 'panel/reports/mail', form: { location_id, name: 'Hafta', recipients, ...what } };
    },
    n => ({ name: `Hafta ${n}` }),
  ],
];

test.each(changedAtOnce)(
  'a %s that is changed eight times at once has the true state before each change',
  async (_, arrange, change) => {
    const location = await make('Aynı anda');
    const { at, form } = await arrange(location);
    const made = await api.post(at, { token: admin.token, body: form });
    expect(made.status, made.text).toBe(201);
    const { id } = made.body.data;
    const answers = await Promise.all(
      Array.from({ length: 8 }, (__, n) => api.put(`${at}/${id}`, { token: admin.token, body: change(n) })),
    );
    expect(answers.map(it => it.status)).toEqual(Array(8).fill(200));
    const log = (await read(admin.token, `?location_id=${location}&verb=update&per_page=50`)).data;
    const [field] = Object.keys(change(0));
    const entries = log.filter((it: { subject: { id: string } }) => it.subject.id === id);
    expect(entries).toHaveLength(8);
    // Each state but the last is the one before exactly one change.
    const befores = entries.map((it: { before: Record<string, unknown> }) => it.before[field!]);
    expect(new Set(befores).size).toBe(8);
  },
);

describe('the audit log', () => {
  test('names the user, the address and the changes, with secrets masked', async () => {
    const location = await make('Otel');
    await write(admin.id, {
      verb: 'update',
      subject: device('Kapı'),
      locationId: location,
      before: { name: 'Eski', secret: 'abc', port: 22, connection: { password: 'x', host: 'a' } },
      after: { name: 'Yeni', secret: 'def', port: 22, connection: { password: 'y', host: 'b' } },
    });
    const [entry] = (await read(admin.token, `?location_id=${location}&verb=update`)).data;
    expect(entry).toMatchObject({
      user: { id: admin.id, email: admin.email },
      ip: '192.0.2.7',
      verb: 'update',
      location: { id: location, name: 'Otel' },
      before: { name: 'Eski', secret: '•••', connection: '•••' },
      after: { name: 'Yeni', secret: '•••', connection: '•••' },
    });
    expect(entry.after).not.toHaveProperty('port');
    await write(admin.id, {
      verb: 'update',
      subject: device('Aynı'),
      locationId: location,
      before: { a: 1 },
      after: { a: 1 },
    });
    expect(await names(admin.token, `?location_id=${location}&search=ayn`)).toEqual([]);
  });

  test('shows managers their own location, limited ones their devices, and others nothing', async () => {
    const [mine, other] = [await make('Benim'), await make('Başka')];
    const [one, two] = ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b'];
    await write(admin.id, { verb: 'update', subject: device('bir'), locationId: mine, deviceId: one, after: { a: 1 } });
    await write(admin.id, { verb: 'update', subject: device('iki'), locationId: mine, deviceId: two, after: { a: 1 } });
    await write(admin.id, { verb: 'update', subject: device('uzak'), locationId: other, after: { a: 1 } });
    await write(admin.id, { verb: 'update', subject: { type: 'tenant', name: 'bayi' }, after: { a: 1 } });
    const manager = await api.user('member', { location: mine });
    expect(await names(manager.token, '?subject_type=device')).toEqual(['bir', 'iki']);
    expect(await names(manager.token)).not.toContain('bayi');
    expect(await names(manager.token, `?location_id=${other}`)).toEqual([]);
    const limited = await api.user('member', { location: mine, deviceIds: [one] });
    expect(await names(limited.token, '?subject_type=device')).toEqual(['bir']);
    const reseller = await api.user('reseller');
    expect(await names(reseller.token)).toEqual([]);
    const auditor = await api.user('auditor');
    expect(await names(auditor.token, '?subject_type=device')).toEqual(expect.arrayContaining(['bir', 'iki', 'uzak']));
    const viewer = await api.user('member', { location: mine, permissions: ['view-devices'] });
    expect((await api.get('panel/audit', { token: viewer.token })).status).toBe(403);
    expect((await api.get('panel/audit')).status).toBe(401);
    const foreign = await api.user('tenant-admin', { tenant: 'elsewhere' });
    const away = await api.get('panel/audit', { token: foreign.token, tenant: 'elsewhere' });
    expect(away.body.data.map((it: { verb: string }) => it.verb)).toEqual(['sign-in']);
  });

  test('is searched for the names of visitors by those who see them', async () => {
    const location = await make('Arama');
    const body = { name: 'Gülçin Aranan', provider_type: 'username', username: 'aranan', password: 'gizli-parola' };
    const made = await api.post('panel/client', { token: admin.token, body: { ...body, location_id: location } });
    expect(made.status, made.text).toBe(201);
    const at = `?location_id=${location}&search=${encodeURIComponent('GULCIN ar')}`;
    expect(await names(admin.token, at)).toEqual(['Gülçin Aranan']);
    const manager = await api.user('member', { location });
    expect(await names(manager.token, at)).toEqual(['Gülçin Aranan']);
    const blind = await api.user('member', { location, permissions: ['update-location', 'view-devices'] });
    expect(await names(blind.token, `?location_id=${location}&subject_type=visitor`)).not.toContain('Gülçin Aranan');
    expect(await names(blind.token, at)).toEqual([]);
    const neighbour = await api.user('member', { location: await make('Komşu') });
    expect(await names(neighbour.token, at)).toEqual([]);
  });

  test('is filtered by time, person, kind and text', async () => {
    const location = await make('Süzgeç');
    const ece = await api.user('member', { location });
    await write(ece.id, { verb: 'create', subject: device('100% ağ'), locationId: location, after: { a: 1 } });
    await write(admin.id, { verb: 'delete', subject: { type: 'visitor', name: 'Can' }, locationId: location });
    const at = `?location_id=${location}`;
    expect(await names(admin.token, `${at}&user_id=${ece.id}`)).toEqual(['100% ağ']);
    expect(await names(admin.token, `${at}&verb=delete`)).toEqual(['Can']);
    expect(await names(admin.token, `${at}&search=${encodeURIComponent('0% a')}`)).toEqual(['100% ağ']);
    const [{ created_at }] = (await read(admin.token, `${at}&verb=delete`)).data;
    const written = Date.parse(created_at);
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Istanbul' }).format(written);
    expect(await names(admin.token, `${at}&subject_type=visitor&start_at=${today}&end_at=${today}`)).toEqual(['Can']);
    expect(await names(admin.token, `${at}&end_at=2020-01-01`)).toEqual([]);
    expect(
      await names(admin.token, `${at}&subject_type=visitor&start_at=${new Date(written - 60_000).toISOString()}`),
    ).toEqual(['Can']);
    for (const bad of [
      'start_at=yesterday',
      'end_at=0000-01-01T00:00:00Z',
      'verb=fly',
      'user_id=1',
      'per_page=100000',
    ]) {
      const answer = await api.get(`panel/audit?${bad}`, { token: admin.token });
      expect([answer.status, Object.keys(answer.body.errors ?? {})], bad).toEqual([422, [bad.split('=')[0]]]);
    }
    for (const reversed of [
      'start_at=2026-11-20&end_at=2026-11-19',
      'start_at=2026-11-20T12:00:00Z&end_at=2026-11-20T12:00:00Z',
      'start_at=2026-11-20T12:00:00Z&end_at=2026-11-19&download=true',
    ]) {
      const answer = await api.get(`panel/audit?${reversed}`, { token: admin.token, language: 'en' });
      expect([answer.status, Object.keys(answer.body.errors ?? {})], reversed).toEqual([422, ['end_at']]);
    }
  });

  test('is downloaded completely as CSV, in the caller’s language and without formulas', async () => {
    const location = await make('=1+1');
    const entry = (n: number): Entry => ({
      verb: 'update',
      subject: { type: 'visitor', name: `=cmd${n}` },
      locationId: location,
      after: { n },
    });
    // At once: a thousand transactions one after another take a busy machine most of a minute.
    await api.inTenant(tx =>
      Promise.all(Array.from({ length: 1005 }, (_, n) => audit(tx, { userId: admin.id, ip: null }, entry(n)))),
    );
    const file = await api.get(`panel/audit?download=true&subject_type=visitor&location_id=${location}`, {
      token: admin.token,
      language: 'tr',
    });
    expect(file.headers.get('content-type')).toContain('text/csv');
    expect(file.headers.get('content-disposition')).toContain('audit-log.csv');
    const bytes = Buffer.from(
      await (await fetchRaw(`panel/audit?download=true&verb=update&location_id=${location}`)).arrayBuffer(),
    );
    expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
    const lines = file.text.trimEnd().split('\r\n');
    expect(lines).toHaveLength(1006);
    expect(lines[0]).toContain('Zaman (Europe/Istanbul),Kullanıcı,E-posta');
    // The clock and the words of the screen.
    expect(lines[1]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\+03,.*,Değiştirildi,Ziyaretçi,/);
    const [listed] = (await api.get(`panel/audit?verb=update&location_id=${location}`, { token: admin.token })).body
      .data;
    const local = new Date(Date.parse(listed.created_at) + 3 * 3_600_000).toISOString();
    expect(lines[1]).toContain(`${local.slice(0, 19).replace('T', ' ')}+03`);
    expect(new Set(lines.map(it => /'=cmd\d+/.exec(it)?.[0])).size).toBe(1006);
    expect(lines[1]).toContain("'=1+1");
  });

  test('cannot be changed, not even by the database’s own roles', async () => {
    for (const statement of [
      sql`update audit_log set user_name = 'x'`,
      sql`delete from audit_log where user_name <> 'x'`,
    ])
      await expect(api.inTenant(tx => tx.run(statement))).rejects.toThrow(/permission denied/);
    await expect(api.app.db.withSystem(tx => tx.run(sql`delete from audit_log`))).rejects.toThrow(/permission denied/);
    await expect(api.app.db.pool.query('truncate audit_log')).rejects.toThrow(/append-only/);
    await expect(api.app.db.pool.query('delete from audit_log')).rejects.toThrow(/append-only/);
  });
});

const fetchRaw = (at: string) =>
  fetch(`${api.url}/v1/${at}`, { headers: { 'x-tenant': 'panel', authorization: `Bearer ${admin.token}` } });

test('contains all kinds of actions, without private data of guests', async () => {
  const location = await make('Otel');
  const at = { token: admin.token };
  await api.put(`panel/location/${location}`, { ...at, body: { name: 'Otel Mavi', city: 'Muğla' } });
  await api.post(`panel/location/${location}/license`, { ...at, body: { year: 1 } });
  const brand = (await api.get('panel/device/brands', at)).body.data[0].id;
  const router = { brand_id: brand, mac_address: 'A1B2C3D4E5F6', name: 'Kapı', location_id: location };
  const id = (await api.post('panel/device', { ...at, body: router })).body.data.id;
  const connection = { host: '10.0.0.1', port: 22, username: 'a', password: 'çok-gizli' };
  await api.put(`panel/device/${id}`, { ...at, body: { name: 'Arka kapı', connection } });
  const rule = { mac: 'A1B2C3D4E5F7', type: 'blocked' };
  const mac = (await api.post(`panel/device/${id}/macs`, { ...at, body: rule })).body.data.id;
  await api.delete(`panel/device/${id}/macs/${mac}`, at);
  const guest = {
    location_id: location,
    name: 'Zeynep Özdemir',
    provider_type: 'username',
    username: 'zeynep',
    password: 'sakli-1',
  };
  const visitor = (await api.post('panel/client', { ...at, body: guest })).body.data.id;
  await api.put(`panel/client/${visitor}`, {
    ...at,
    body: { ...guest, name: 'Zeynep Kaya', shared_user: 3, special_profile: true },
  });
  await api.delete(`panel/client/${visitor}`, at);
  await api.post(`panel/user/team/change/${location}`, at);
  const portal = (await api.post('panel/portal', { ...at, body: { name: 'Karşılama' } })).body.data;
  const styles = { ...portal.styles, primary_color: '#123456' };
  await api.put(`panel/portal/${portal.id}`, { ...at, body: { name: 'Karşılama', styles } });
  await api.delete(`panel/device/${id}`, at);
  await api.delete(`panel/location/${location}`, at);
  await api.post('panel/user/team/change/all', at);
  const { data } = await read(admin.token, `?location_id=${location}&per_page=100`);
  const entries = data.map((it: { verb: string; subject: { type: string } }) => `${it.verb} ${it.subject.type}`).sort();
  expect(entries).toEqual(
    [
      ...['create location', 'update location', 'update location', 'delete location'],
      ...['create device', 'update device', 'delete device', 'create mac-rule', 'delete mac-rule'],
      ...['create visitor', 'update visitor', 'delete visitor', 'create portal', 'update portal'],
    ].sort(),
  );
  const of = (what: string) =>
    data.find((it: { verb: string; subject: { type: string } }) => `${it.verb} ${it.subject.type}` === what);
  expect(of('update visitor')).toMatchObject({
    subject: { id: visitor, name: 'Z••• K•••' },
    before: { shared_user: 1, personal: [] },
    after: { shared_user: 3, personal: ['name'] },
  });
  expect(of('update portal').after).toEqual({ styles: { primary_color: '#123456' } });
  expect(of('update device').after).toEqual({ name: 'Arka kapı', connection: '•••' });
  for (const hidden of ['Zeynep', 'Özdemir', 'sakli-1', 'çok-gizli'])
    expect(JSON.stringify(data)).not.toContain(hidden);
});

test('names visitors who still exist to those who may see visitors', async () => {
  const location = await make('Pansiyon');
  const guest = {
    location_id: location,
    name: 'Elif Su',
    provider_type: 'username',
    username: 'elif',
    password: 'sakli-1',
  };
  await api.post('panel/client', { token: admin.token, body: guest });
  const at = `?location_id=${location}&subject_type=visitor`;
  expect(await names(admin.token, at)).toEqual(['Elif Su']);
  const manager = await api.user('member', { location, permissions: ['update-location', 'view-clients'] });
  expect(await names(manager.token, at)).toEqual(['Elif Su']);
  const technician = await api.user('member', { location, permissions: ['update-location'] });
  expect(await names(technician.token, at)).toEqual(['E••• S•••']);
  const limited = await api.user('member', {
    location,
    permissions: ['update-location', 'view-clients'],
    deviceIds: ['00000000-0000-4000-8000-00000000000b'],
  });
  expect(await names(limited.token, at)).toEqual(['E••• S•••']);
  const other = await make('Şube');
  await api.inTenant(tx => tx.run(sql`update visitors set location_id = ${other} where username = 'elif'`));
  expect(await names(manager.token, at), 'now a visitor of another location').toEqual(['E••• S•••']);
  const file = await api.get(`panel/audit${at}&download=true`, { token: admin.token });
  expect(file.text, 'a file is kept longer than the visitor').toContain('E••• S•••');
});

test('contains the differences of two states, and the beginning of long values', () => {
  expect(changes({ a: 1, b: [1, 2], updated_at: 1 }, { a: 1, b: [1, 3], updated_at: 2 })).toEqual({
    before: { b: [1, 2] },
    after: { b: [1, 3] },
  });
  expect(changes({ s: { a: 1, b: { c: 1, secret: 'x' } } }, { s: { a: 1, b: { c: 2, secret: 'y' } } }).after).toEqual({
    s: { b: { c: 2, secret: '•••' } },
  });
  const [off, on] = [false, true].map(is_active => ({ is_active, option: 'mbps', value: 5 }));
  expect(changes({ limit: off }, { limit: on }), 'a limit is one value').toEqual({
    before: { limit: off },
    after: { limit: on },
  });
  expect(changes(null, { a: 'x'.repeat(600) }).after!['a']).toHaveLength(501);
  expect(changes({ password_hash: 'x', idNumber: '1', birth_date: 'y' }, null).before).toEqual({
    password_hash: '•••',
    idNumber: '•••',
    birth_date: '•••',
  });
});

test('says that a password was reset, and what a rule about passwords was', () => {
  expect(changes(null, { password_reset: true, password: 'x' }).after).toEqual({
    password_reset: true,
    password: '•••',
  });
  expect(changes({ password_min: 8 }, { password_min: 12 })).toEqual({
    before: { password_min: 8 },
    after: { password_min: 12 },
  });
});
