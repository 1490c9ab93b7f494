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

const make = async (name: string, token = admin.token): Promise<string> =>
  (await api.post('panel/location', { token, body: { name } })).body.data.id;
const write = (userId: string, entry: Entry) => api.inTenant(tx => audit(tx, { userId, ip: '192.0.2.7' }, entry));
const read = async (token: string, query = '') => (await api.get(`panel/audit${query}`, { token })).body;
const names = async (token: string, query = '') =>
  (await read(token, query)).data.map((it: { subject: { name: string } }) => it.subject.name).sort();
const device = (name: string) => ({ type: 'device', id: null, name });

describe('the audit log', () => {
  test('tells who did what from where, with what changed, secrets masked', async () => {
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

  test('shows a manager their own location, a limited one their devices, others nothing', async () => {
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

  test('is filtered by time, person, kind and text', async () => {
    const location = await make('Süzgeç');
    const ece = await api.user('member', { location });
    await write(ece.id, { verb: 'create', subject: device('100% ağ'), locationId: location, after: { a: 1 } });
    await write(admin.id, { verb: 'delete', subject: { type: 'visitor', name: 'Can' }, locationId: location });
    const at = `?location_id=${location}`;
    expect(await names(admin.token, `${at}&user_id=${ece.id}`)).toEqual(['100% ağ']);
    expect(await names(admin.token, `${at}&verb=delete`)).toEqual(['Can']);
    expect(await names(admin.token, `${at}&search=${encodeURIComponent('0% a')}`)).toEqual(['100% ağ']);
    const today = new Date().toISOString().slice(0, 10);
    expect(await names(admin.token, `${at}&subject_type=visitor&start_at=${today}&end_at=${today}`)).toEqual(['Can']);
    expect(await names(admin.token, `${at}&end_at=2020-01-01`)).toEqual([]);
    expect(
      await names(admin.token, `${at}&subject_type=visitor&start_at=${new Date(Date.now() - 60_000).toISOString()}`),
    ).toEqual(['Can']);
    for (const bad of ['start_at=yesterday', 'verb=fly', 'user_id=1', 'per_page=100000'])
      expect((await api.get(`panel/audit?${bad}`, { token: admin.token })).status, bad).toBe(422);
  });

  test('is downloaded as CSV, whole, in the caller’s language, harmless to spreadsheets', async () => {
    const location = await make('=1+1');
    for (let n = 0; n < 1005; n++)
      await write(admin.id, {
        verb: 'update',
        subject: { type: 'visitor', name: `=cmd${n}` },
        locationId: location,
        after: { n },
      });
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
    expect(lines[0]).toContain('Zaman,Kullanıcı,E-posta');
    expect(new Set(lines.map(it => /'=cmd\d+/.exec(it)?.[0])).size).toBe(1006);
    expect(lines[1]).toContain("'=1+1");
  });

  test('cannot be changed, not even by the database’s own roles', async () => {
    for (const statement of ['update audit_log set user_name = $1', 'delete from audit_log where user_name <> $1'])
      await expect(api.inTenant(tx => tx.run({ text: statement, values: ['x'] } as never))).rejects.toThrow(
        /permission denied/,
      );
    await expect(api.app.db.withSystem(tx => tx.run(sql`delete from audit_log`))).rejects.toThrow(/permission denied/);
    await expect(api.app.db.pool.query('truncate audit_log')).rejects.toThrow(/append-only/);
    await expect(api.app.db.pool.query('delete from audit_log')).rejects.toThrow(/append-only/);
  });
});

const fetchRaw = (at: string) =>
  fetch(`${api.url}/v1/${at}`, { headers: { 'x-tenant': 'panel', authorization: `Bearer ${admin.token}` } });

test('of two states what differs is kept, of long values the beginning', () => {
  expect(changes({ a: 1, b: [1, 2], updated_at: 1 }, { a: 1, b: [1, 3], updated_at: 2 })).toEqual({
    before: { b: [1, 2] },
    after: { b: [1, 3] },
  });
  expect(changes(null, { a: 'x'.repeat(600) }).after!['a']).toHaveLength(501);
  expect(changes({ password_hash: 'x', idNumber: '1', birth_date: 'y' }, null).before).toEqual({
    password_hash: '•••',
    idNumber: '•••',
    birth_date: '•••',
  });
});
