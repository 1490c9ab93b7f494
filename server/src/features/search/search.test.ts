import sql from 'sql-template-tag';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { eraseInputs } from '#features/sessions/failed-logins.queries.ts';
import { makeScene, type Scene } from '#features/sessions/testing/scene.ts';
import { type Body, startApi } from '#test/harness.ts';

const api = await startApi();
const slug = 'venue';
let scene: Scene;
let admin: string;
let other: string;
let nas: string;

beforeAll(async () => {
  scene = await makeScene(api.app, await api.tenantId(slug));
  admin = (await api.user('tenant-admin', { tenant: slug })).token;
  await scene.addVisitor('isil', 'pw', { name: 'Işıl Yılmaz', phone: '+905301234567', room_number: '1204' });
  await scene.send('start', { user: 'isil', mac: 'A0:00:00:00:00:01', ip: '10.5.50.7', ago: 50 });
  // However slow the machine is, it is not stale.
  await api.app.db.withSystem(tx => tx.run(sql`update online_sessions set interim = 3600`));
  nas = (await api.get(`panel/device/${scene.device.id}`, { token: admin, tenant: slug })).body.data.nas_identifier;
  const post = (at: string, body: Body) => api.post(at, { token: admin, tenant: slug, body });
  other = (await post('panel/location', { name: 'Çınar Köşkü' })).body.data.id;
  await post('panel/portal', { name: 'Çınar karşılama', location_id: other });
  const terms = { count: 1, valid_for: { is_active: true, option: 'day', value: 1 } };
  const made = await post('panel/voucher-batch', { ...terms, name: 'Çınar günlük', location_id: other });
  expect(made.status, made.text).toBe(201);
});

const find = async (search: string, token = admin, tenant = slug): Promise<Body[]> => {
  const { status, body } = await api.get(`panel/search?search=${encodeURIComponent(search)}`, { token, tenant });
  expect(status).toBe(200);
  return body.data;
};
const titles = async (search: string, token = admin) => (await find(search, token)).map(it => `${it.kind} ${it.title}`);
const member = async (options: {
  permissions?: readonly string[];
  deviceIds?: readonly string[];
  location?: string;
}) => {
  const location = options.location ?? scene.locationId;
  const { id, token } = await api.user('member', { tenant: slug, ...options, location });
  await scene.inTenant(tx => tx.run(sql`update users set active_location_id = ${location} where id = ${id}`));
  return token;
};

describe('the search', () => {
  test('finds a visitor by name, user name, phone and room, regardless of case and accents', async () => {
    for (const search of ['isil', 'IŞIL', 'yilmaz', '0530123'.slice(1), '1204'])
      expect(await titles(search), search).toContain('visitor Işıl Yılmaz');
    await scene.addVisitor('kemal', 'pw', { name: 'Kemal Er', phone: '+90 530 123 45 67' });
    for (const search of ['0530 123 45 67', '+90 (530) 123-4567', '00905301234567', '1234567'])
      expect((await titles(search)).sort(), search).toEqual(
        ['visitor Işıl Yılmaz', 'visitor Kemal Er', 'session A0:00:00:00:00:01'].sort(),
      );
    // A number that differs by a typing error is another guest's.
    await scene.addVisitor('meral', 'pw', { name: 'Meral Su', phone: '0530 123 45 76' });
    await scene.send('start', { user: 'meral', mac: 'B2:00:00:00:00:09', ip: '10.5.51.9', ago: 50 });
    const onlines = await api.get(`panel/onlines?similar=true&search=${encodeURIComponent('0530 123 45 67')}`, {
      token: admin,
      tenant: slug,
    });
    expect(onlines.body.data.map((it: Body) => it['name'])).toEqual(['Işıl Yılmaz']);
    expect((await find('isil'))[0]).toMatchObject({ detail: 'isil', location: { id: scene.locationId } });
    // With the session that can be ended from here.
    expect(await titles('isil')).toEqual(['visitor Işıl Yılmaz', 'session A0:00:00:00:00:01']);
  });

  test('shows the newest six visitors of a common name, newest first', async () => {
    for (const n of [1, 2, 3, 4, 5, 6, 7, 8])
      await scene.addVisitor(`kalabalik-${n}`, 'pw', { name: `Kalabalık ${n}` });
    expect(await titles('kalabalik')).toEqual([8, 7, 6, 5, 4, 3].map(n => `visitor Kalabalık ${n}`));
    expect(await titles('kalabalik 2')).toEqual(['visitor Kalabalık 2']);
  });

  test('finds two letters wherever they stand, in the caller’s reach, as reading every visitor would', async () => {
    const names = ['Wqй', 'Bawq号', 'Wq', 'Awq Bey', 'Wqž Ltd', 'Bay wq-7', 'Awq’nun', 'WQ9', 'Kawqu', 'Bawqş'];
    for (const [n, name] of names.entries()) await scene.addVisitor(`cift-${n}`, 'pw', { name });
    const list = await api.get('panel/client?search=wq&per_page=50', { token: admin, tenant: slug });
    expect(list.body.data.map((it: Body) => it['name']).sort()).toEqual([...names].sort());
    expect(await titles('wq')).toEqual(
      names
        .slice(-6)
        .reverse()
        .map(it => `visitor ${it}`),
    );
    await scene.addVisitor('oda', 'pw', { name: 'Oda', room_number: '7wx' });
    expect(await titles('wx'), 'at the end').toEqual(['visitor Oda']);
    expect(await titles('xw')).toEqual([]);
    expect(await titles('wq', await member({ location: other, permissions: ['view-clients'] }))).toEqual([]);
    expect(await titles('wq', await member({ permissions: ['view-devices'] }))).toEqual([]);
  });

  test('finds a visitor despite a typing error, when nothing matches exactly', async () => {
    expect(await titles('yilmax')).toContain('visitor Işıl Yılmaz');
    expect(await titles('Isik Yilmaz')).toContain('visitor Işıl Yılmaz');
    for (const search of ['Iişl', 'ylimaz', 'yilmmaz', 'işl yılmaz', 'yilnaz'])
      expect(await titles(search), search).toEqual(['visitor Işıl Yılmaz', 'session A0:00:00:00:00:01']);
    expect(await titles('zzzzzz')).toEqual([]);
  });

  test('finds the session and the device of a guest by MAC address in any notation, and by IP address', async () => {
    for (const mac of ['a0:00:00:00:00:01', 'A0-00-00-00-00-01', 'a00000000001'])
      expect(await titles(mac)).toEqual(['session A0:00:00:00:00:01', 'client A0:00:00:00:00:01']);
    for (const begun of ['a0:00', 'A0-00-00-', 'a000.0000', 'a0:00:00:00:00:0'])
      expect(await titles(begun), begun).toEqual(['session A0:00:00:00:00:01', 'client A0:00:00:00:00:01']);
    // Too little, another beginning, and digits that may be anything else.
    for (const other of ['a0:', 'a0:01', 'a000', 'a0.00'])
      expect(await titles(other), other).not.toContain('client A0:00:00:00:00:01');
    expect((await find('10.5.50.7'))[0]).toMatchObject({ kind: 'session', detail: 'Işıl Yılmaz' });
    expect(await find('10.5.50.8')).toEqual([]);
  });

  test('finds devices by the six digits of a maker, with separators or without', async () => {
    await scene.addVisitor('nadir', 'pw', { name: 'Nadir Öz' });
    await scene.send('start', {
      user: 'nadir',
      mac: 'AC:BB:CC:00:00:01',
      ip: '10.5.52.1',
      ago: 50,
      session: 'maker-1',
    });
    const router = await api.get(`panel/device/${scene.device.id}`, { token: admin, tenant: slug });
    const maker = router.body.data.mac_address.slice(0, 8);
    for (const begun of ['AC:BB:CC', 'ac-bb-cc', 'acbbcc', 'ACBBCC0', 'acbb.cc', 'AC-BB'])
      expect(await titles(begun), begun).toEqual(['session AC:BB:CC:00:00:01', 'client AC:BB:CC:00:00:01']);
    expect(await titles('acbbc'), 'as short as a room').toEqual([]);
    for (const begun of [maker, maker.replaceAll(':', '-'), maker.replaceAll(':', '').toLowerCase()])
      expect(await titles(begun), begun).toContain(`device ${router.body.data.name}`);
    for (const search of ['acbbcc', 'AC:BB'])
      for (const list of ['onlines', 'reports/sessions']) {
        const found = await api.get(`panel/${list}?search=${search}`, { token: admin, tenant: slug });
        expect(
          found.body.data.map((it: Body) => it['client_mac']),
          `${list} ${search}`,
        ).toEqual(['AC:BB:CC:00:00:01']);
      }
  });

  test('finds a session by its Acct-Session-Id, whole or by its first six characters, online and past', async () => {
    const mac = 'AD:00:00:00:00:01';
    // No hexadecimal digits, as the random names of devices have, which would be similar by chance.
    await scene.addVisitor('nuri', 'pw', { name: 'Nuri Öz' });
    await scene.send('start', { user: 'nuri', mac, ip: '10.5.53.1', ago: 90, session: 'q0wx0ztk-17' });
    expect(await find('Q0WX0ZTK-17')).toMatchObject([
      { kind: 'session', title: mac, detail: 'Nuri Öz', endable: true },
    ]);
    await scene.send('stop', { user: 'nuri', mac, ip: '10.5.53.1', ago: 30, session: 'q0wx0ztk-17', seconds: 60 });
    await scene.send('start', { user: 'nadir', mac, ip: '10.5.53.1', ago: 20, session: 'q0wx0ztk-18' });
    const [session, past] = [`session ${mac}`, 'past q0wx0ztk-17'];
    for (const begun of ['q0wx0z', 'Q0WX0ZTK', 'q0wx0ztk-1'])
      expect(await titles(begun), begun).toEqual([session, past]);
    expect(await titles('q0wx0ztk-17')).toEqual([past]);
    for (const other of ['q0wx0', 'wx0ztk', 'q0wx0ztj', 'q0wx0ztk-1%', 'q0wx0z__'])
      expect(await titles(other), other).toEqual([]);
    // Word for word, an id may be shorter. The random names of devices have no x, and the NAS-Identifiers no 0.
    await scene.send('start', { user: 'nadir', mac: 'AD:00:00:00:00:02', ip: '10.5.53.2', ago: 20, session: 'x0' });
    expect(await titles('x0')).toEqual(['session AD:00:00:00:00:02']);

    const listed = async (list: string, search: string, token = admin) =>
      (await api.get(`panel/${list}?search=${search}`, { token, tenant: slug })).body.data.length;
    const blind = await member({ permissions: ['view-basic-stats'] });
    for (const token of [admin, blind]) {
      expect(await listed('onlines', 'q0wx0z', token)).toBe(1);
      expect(await listed('reports/sessions', 'q0wx0z', token)).toBe(2);
      expect(await listed('reports/sessions', 'q0wx0ztk-17', token)).toBe(1);
    }
    expect(await find('q0wx0z', blind)).toMatchObject([{ detail: null }, { kind: 'past', detail: null }]);
    const place = await api.get(`panel/location/${scene.locationId}`, { token: admin, tenant: slug });
    const day = new Intl.DateTimeFormat('sv', { timeZone: place.body.data.time_zone }).format(Date.now() - 90_000);
    expect((await find('q0wx0ztk-17'))[0]).toMatchObject({ day, location: { id: scene.locationId } });

    const foreigner = (await api.user('tenant-admin', { tenant: 'elsewhere' })).token;
    expect(await find('q0wx0z', foreigner, 'elsewhere')).toEqual([]);
    const refused = [
      member({ location: other }),
      member({ permissions: ['view-clients', 'view-devices'] }),
      scene.addDevice().then(({ id }) => member({ deviceIds: [id] })),
    ];
    for (const token of await Promise.all(refused)) expect(await find('q0wx0z', token)).toEqual([]);
  });

  test('finds the session of a whole Acct-Session-Id before more than 1,000 newer ones that begin so', async () => {
    const mac = 'AD:10:00:00:00:01';
    const session = (id: string, ago: number) => ({ user: 'nadir', mac, ip: '10.5.54.1', ago, session: id });
    await scene.send('start', session('6d.4e:91', 90));
    await scene.send('stop', { ...session('6d.4e:91', 80), seconds: 10 });
    await api.app.db.pool.query(
      `insert into session_history (tenant_id, id, accounting_id, location_id, device_id, visitor_id, user_name, acct_session_id, client_mac,
         client_ip, started_at, ended_at, seconds, upload, download, interim, reopened, day, close_reason)
       select h.tenant_id, new_id(), h.accounting_id || int4send(n), h.location_id, h.device_id, h.visitor_id, h.user_name, h.acct_session_id || n,
         h.client_mac, h.client_ip, h.started_at + n * interval '1 millisecond', h.ended_at, h.seconds, 0, 0, h.interim, false, h.day, h.close_reason
       from session_history h cross join generate_series(1, 1200) n where h.acct_session_id = '6d.4e:91'`,
    );
    expect((await titles('6d.4e:91'))[0]).toBe('past 6d.4e:91');
    expect(await titles('6d.4e:9')).toHaveLength(6);
    // Online as well.
    await scene.send('start', { ...session('6d.5f:1', 70), mac: 'AD:20:00:00:00:00' });
    for (const n of [1, 2, 3, 4, 5, 6, 7])
      await scene.send('start', {
        ...session(`6d.5f:1${n}`, 60 - n),
        mac: `AD:20:00:00:00:0${n}`,
        ip: `10.5.54.1${n}`,
      });
    expect((await titles('6d.5f:1'))[0]).toBe('session AD:20:00:00:00:00');
  });

  test('finds routers, portals, voucher batches and locations', async () => {
    expect(await titles(nas)).toEqual([expect.stringMatching(/^device /)]);
    expect(await titles('cianr'), 'despite a typing error').toEqual(await titles('cinar'));
    expect(await titles('cinar')).toEqual(['portal Çınar karşılama', 'batch Çınar günlük', 'location Çınar Köşkü']);
  });

  test('lists find the same names despite a typing error, if that is asked for', async () => {
    const foreigner = (await api.user('tenant-admin', { tenant: 'elsewhere' })).token;
    const names = async (path: string, more: string, token = admin, tenant = slug): Promise<string[]> =>
      (await api.get(`panel/${path}${more}`, { token, tenant })).body.data.map((it: { name: string }) => it.name);
    const lists = { portal: 'Çınar karşılama', 'voucher-batch': 'Çınar günlük', location: 'Çınar Köşkü' };
    for (const [path, name] of Object.entries(lists)) {
      expect(await names(path, '?search=cianr&similar=true'), path).toEqual([name]);
      expect(await names(path, '?search=cianr'), path).toEqual([]);
      expect(await names(path, '?search=cianr&similar=true', foreigner, 'elsewhere'), path).toEqual([]);
    }
    const [device] = await names('device', '');
    const [first = '', second = '', ...rest] = device ?? '';
    const exchanged = encodeURIComponent([second, first, ...rest].join(''));
    expect(await names('device', `?search=${exchanged}&similar=true`)).toContain(device);
    expect(await names('device', `?search=${exchanged}`)).toEqual([]);
    expect(await names('onlines', '?search=yilmmaz&similar=true')).toEqual(['Işıl Yılmaz']);
    expect(await names('onlines', '?search=yilmmaz')).toEqual([]);
    expect(await names('onlines', '?search=yilmmaz&similar=true', foreigner, 'elsewhere')).toEqual([]);
    const blind = await member({ permissions: ['view-basic-stats'] });
    expect(await names('onlines', '?search=yilmmaz&similar=true', blind), 'without personal data').toEqual([]);
  });

  test('finds failed sign-ins by the typed name that no visitor has, whole, in any case and in the reach of who sees both', async () => {
    const typed = ['Yanlış.İsim', 'YANLIŞ.isim'];
    for (const user of typed) await scene.signIn({ user, password: 'x', mac: 'B4:00:00:00:00:01', ip: '10.5.50.44' });
    const hit = { kind: 'failed', title: 'YANLIŞ.isim', location: { id: scene.locationId } };
    for (const search of ['yanlis.isim', ' Yanlış.isim ']) expect(await find(search), search).toMatchObject([hit]);
    expect(await find('yanlis.isi'), 'a part').toEqual([]);
    const both = ['view-clients', 'view-basic-stats'];
    expect(await titles('yanlis.isim', await member({ permissions: both }))).toEqual(['failed YANLIŞ.isim']);
    expect(await titles('yanlis.isim', await member({ permissions: both, location: other }))).toEqual([]);
    for (const one of both) expect(await titles('yanlis.isim', await member({ permissions: [one] }))).toEqual([]);

    const listed = async (token: string) => {
      const { body } = await api.get('panel/failed-login?typed=yanlis.isim', { token, tenant: slug });
      return body.data.flatMap((it: Body) => it['attempts'].map((each: Body) => each['params'].username));
    };
    expect(await listed(admin)).toEqual(typed.toReversed());
    expect(await listed(await member({ permissions: ['view-basic-stats'] })), 'names are not theirs to read').toEqual(
      [],
    );

    // Once the typed values are erased, so is the way to find them.
    await api.app.db.withSystem(tx => eraseInputs(tx, -1, 1000));
    expect(await find('yanlis.isim')).toEqual([]);
  });

  test('finds the failed sign-ins of a guest device that was never online, for who sees sessions', async () => {
    const mac = 'B4:00:00:00:00:09';
    await scene.signIn({ user: 'someone', password: 'x', mac });
    expect(await find('b4-00-00-00-00-09')).toMatchObject([
      { kind: 'failed', title: mac, location: { id: scene.locationId } },
    ]);
    expect(await titles(mac, await member({ permissions: ['view-basic-stats'] }))).toEqual([`failed ${mac}`]);
    expect(await titles(mac, await member({ permissions: ['view-clients'] }))).toEqual([]);
  });

  test('finds the wrong password of a visitor at the visitor only', async () => {
    await scene.addVisitor('bulunan', 'pw', { name: 'Bulunan Kişi' });
    await scene.signIn({ user: 'bulunan', password: 'x', mac: 'B4:00:00:00:00:02' });
    expect(await titles('bulunan')).toEqual(['visitor Bulunan Kişi']);
  });

  test('answers nothing to less than two characters, and refuses more than 255', async () => {
    expect(await find('')).toEqual([]);
    expect(await find('i')).toEqual([]);
    expect(await find('%%')).toEqual([]);
    const tooLong = await api.get(`panel/search?search=${'a'.repeat(256)}`, { token: admin, tenant: slug });
    expect(tooLong.status).toBe(422);
    expect(tooLong.body.errors).toHaveProperty('search');
  });
});

describe('results by role', () => {
  test('strangers nothing, and another tenant nothing of this one', async () => {
    expect((await api.get('panel/search?search=isil', { tenant: slug })).status).toBe(401);
    const foreigner = (await api.user('tenant-admin', { tenant: 'elsewhere' })).token;
    expect(await find('isil', foreigner, 'elsewhere')).toEqual([]);
    expect(await find('a0:00:00:00:00:01', foreigner, 'elsewhere')).toEqual([]);
    expect(await find('cinar', foreigner, 'elsewhere')).toEqual([]);
  });

  test('a tenant administrator finds everything, regardless of the active location', async () => {
    const { id, token } = await api.user('tenant-admin', { tenant: slug });
    await scene.inTenant(tx => tx.run(sql`update users set active_location_id = ${other} where id = ${id}`));
    expect(await titles('isil', token)).toContain('visitor Işıl Yılmaz');
  });

  test('a reseller its own customers only', async () => {
    const { token } = await api.user('reseller', { tenant: slug });
    expect(await find('isil', token)).toEqual([]);
    expect(await find('cinar', token)).toEqual([]);
  });

  test('a member each kind with its permission, in its own location', async () => {
    const neighbour = await member({ location: other });
    expect(await find('isil', neighbour)).toEqual([]);
    expect(await find('10.5.50.7', neighbour)).toEqual([]);
    expect(await find(nas, neighbour)).toEqual([]);

    const nothing = await member({ permissions: ['view-integrations'] });
    for (const search of ['isil', '10.5.50.7', nas]) expect(await find(search, nothing)).toEqual([]);

    const host = await member({ permissions: ['view-clients'] });
    expect(await titles('isil', host)).toEqual(['visitor Işıl Yılmaz']);
    const keeper = await member({ permissions: ['view-vouchers'], location: other });
    expect(await titles('cinar', keeper)).toEqual(['batch Çınar günlük', 'location Çınar Köşkü']);

    const clerk = await member({ permissions: ['view-basic-stats'] });
    expect(await find('isil', clerk)).toEqual([]);
    expect(await find('10.5.50.7', clerk)).toMatchObject([{ kind: 'session', detail: null }]);
  });

  test('despite a typing error a member finds its own thing among a thousand of others', async () => {
    await scene.inTenant(tx =>
      tx.run(sql`
        insert into voucher_batches (tenant_id, id, location_id, name, shared_user, valid_for, price, currency, note, at_desk)
        select b.tenant_id, ('ffffffff-ffff-4fff-8fff-' || lpad(to_hex(n), 12, '0'))::uuid, ${scene.locationId}, b.name || n,
          b.shared_user, b.valid_for, b.price, b.currency, b.note, b.at_desk
        from voucher_batches b cross join generate_series(1, 1000) n where b.location_id = ${other}`),
    );
    onTestFinished(() =>
      scene
        .inTenant(tx => tx.run(sql`delete from voucher_batches where location_id = ${scene.locationId}`))
        .then(() => undefined),
    );
    const keeper = await member({ permissions: ['view-vouchers'], location: other });
    expect(await titles('cianr', keeper)).toEqual(['batch Çınar günlük', 'location Çınar Köşkü']);
    const list = await api.get('panel/voucher-batch?search=cianr&similar=true', { token: keeper, tenant: slug });
    expect(list.body.data).toMatchObject([{ name: 'Çınar günlük' }]);
  });

  test('a member limited to other devices neither the router nor its sessions', async () => {
    const limited = await member({ deviceIds: [(await scene.addDevice()).id] });
    for (const search of ['10.5.50.7', 'a0:00:00:00:00:01', nas])
      expect(await find(search, limited), search).toEqual([]);
  });
});
