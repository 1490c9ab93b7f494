import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Body as Anything, startApi, type TestApi } from '#test/harness.ts';

let api: TestApi;
let admin: string;
beforeAll(async () => {
  api = await startApi();
  admin = (await api.user('tenant-admin')).token;
});

const make = async (name: string, token = admin) =>
  (await api.post('panel/location', { token, body: { name, city: 'Muğla', district: 'Bodrum', country: 'Türkiye' } }))
    .body.data;

describe('locations', () => {
  test('list their contents before they are deleted, and who may delete them', async () => {
    const id = await api.location(admin, 'Hotel Dolu');
    const contents = async (token: string) => (await api.get(`panel/location/${id}/contents`, { token })).body.data;
    const nothing = { devices: 0, visitors: 0, portals: 0, profiles: 0, administrators: 0, integrations: 0, online: 0 };
    expect(await contents(admin)).toEqual({ ...nothing, deletable: true });
    const brand_id = (await api.get('panel/device/brands', { token: admin })).body.data[0].id;
    const device = { location_id: id, brand_id, name: 'Kapı', mac_address: 'A1:B2:C3:00:00:77' };
    await api.post('panel/device', { token: admin, body: device });
    await api.post('panel/portal', { token: admin, body: { name: 'Portal', location_id: id } });
    await api.post('panel/client/bulk', {
      token: admin,
      body: { location_id: id, total_user: 3, name: 'Toplu', provider_type: 'username' },
    });
    const manager = await api.user('member', { location: id });
    expect(await contents(manager.token)).toMatchObject({
      devices: 1,
      visitors: 3,
      portals: 1,
      administrators: 1,
      deletable: false,
    });
    expect((await api.delete(`panel/location/${id}`, { token: manager.token })).status).toBe(403);
    // Its MAC lists apply to every device, so they need the permission to change devices.
    const clerk = await api.user('member', { location: id, permissions: ['update-location', 'view-devices'] });
    const put = (token: string, body: object) => api.put(`panel/location/${id}`, { token, body });
    const lists = { mac_whitelist: ['02:00:00:00:00:01'], mac_whitelist_enabled: true };
    expect((await put(clerk.token, lists)).status).toBe(403);
    expect((await put(manager.token, lists)).body.data).toMatchObject(lists);
    expect((await put(clerk.token, { ...lists, name: 'Guarded 3' })).status, 'unchanged lists').toBe(200);
    expect((await put(clerk.token, { mac_whitelist_enabled: false })).status).toBe(403);
    const [twice, once] = ['02:00:00:00:00:02', '02:00:00:00:00:03'];
    const both = { mac_whitelist: [twice, once], mac_blacklist: [twice] };
    for (const [language, words] of [
      ['en', 'Allowed and blocked at once'],
      ['tr', 'Hem izin verilen hem engellenen'],
    ] as const) {
      const { body } = await api.put(`panel/location/${id}`, { token: manager.token, language, body: both });
      expect(body.warnings).toEqual([expect.stringContaining(words)]);
      expect([body.warnings[0].includes(twice), body.warnings[0].includes(once)]).toEqual([true, false]);
    }
    expect((await put(manager.token, { mac_blacklist: [] })).body.warnings).toEqual([]);
    expect((await api.delete(`panel/location/${id}`, { token: admin })).status).toBe(204);
    expect((await api.get(`panel/location/${id}/contents`, { token: admin })).status).toBe(404);
  });

  test('are created, read, listed, changed and deleted', async () => {
    const created = await api.post('panel/location', {
      token: admin,
      body: {
        name: 'Hotel Mavi',
        country: 'Türkiye',
        city: 'Muğla',
        district: 'Bodrum',
        available_providers: ['sms', 'username'],
        sms_limit: 500,
      },
    });
    expect(created.status).toBe(201);
    expect(created.body.data).toMatchObject({
      name: 'Hotel Mavi',
      address: 'Bodrum / Muğla, Türkiye',
      is_trial: true,
      trial_remain: 15,
      license_remain: 0,
      sms_limit: 500,
      available_providers: ['sms', 'username'],
      time_zone: 'Europe/Istanbul',
      time_limit: 10,
      time_limit_unit: 'hour',
    });
    const { id } = created.body.data;
    expect((await api.get(`panel/location/${id}`, { token: admin })).body.data).toEqual(created.body.data);

    const changed = await api.put(`panel/location/${id}`, {
      token: admin,
      body: {
        name: 'Hotel Mavi Deniz',
        time_limit: 30,
        mac_blacklist: ['a1b2c3d4e5f6', 'A1-B2-C3-D4-E5-F6'],
        mac_blacklist_enabled: true,
      },
    });
    expect(changed.status).toBe(200);
    // A truncated MAC would be another device.
    const long = { token: admin, body: { mac_blacklist: ['A1:B2:C3:D4:E5:F6:77'] } };
    expect((await api.put(`panel/location/${id}`, long)).body.errors).toHaveProperty('mac_blacklist');
    expect(changed.body.data).toMatchObject({
      name: 'Hotel Mavi Deniz',
      city: 'Muğla',
      time_limit: 30,
      mac_blacklist: ['A1:B2:C3:D4:E5:F6'],
    });

    // An empty part of the address reads as null, like other texts that may be empty.
    for (const body of [{ city: null, district: '' }, { name: 'Hotel Mavi Deniz' }]) {
      const cleared = await api.put(`panel/location/${id}`, { token: admin, body });
      expect(cleared.body.data).toMatchObject({ country: 'Türkiye', city: null, district: null, address: 'Türkiye' });
    }

    // Null empties a list, as it clears a text.
    const lists = { available_providers: ['sms'], mac_whitelist: ['A1:B2:C3:D4:E5:F7'], mac_blacklist: [] };
    expect((await api.put(`panel/location/${id}`, { token: admin, body: lists })).body.data).toMatchObject(lists);
    const none = { available_providers: null, mac_whitelist: null, mac_blacklist: null };
    const emptied = await api.put(`panel/location/${id}`, { token: admin, body: none });
    expect(emptied.body.data).toMatchObject({ available_providers: [], mac_whitelist: [], mac_blacklist: [] });

    const list = await api.get('panel/location?name=mavi%20deniz', { token: admin });
    expect(list.body).toMatchObject({
      data: [{ id }],
      meta: { total: 1, current_page: 1, from: 1, to: 1, per_page: 15, last_page: 1 },
    });
    expect((await api.delete(`panel/location/${id}`, { token: admin })).status).toBe(204);
    expect((await api.get(`panel/location/${id}`, { token: admin })).status).toBe(404);
  });

  test('are paged, with links', async () => {
    for (let n = 1; n <= 5; n++) await make(`Paged ${n}`);
    const list = await api.get('panel/location?name=paged&per_page=2&page=2', { token: admin });
    expect(list.body.data.map((l: { name: string }) => l.name)).toEqual(['Paged 3', 'Paged 2']);
    expect(list.body.meta).toMatchObject({ total: 5, last_page: 3, current_page: 2, from: 3, to: 4 });
    expect(list.body.links.prev).toContain('page=1');
    expect(list.body.links.next).toContain('page=3');
    expect((await api.get('panel/location?per_page=9999', { token: admin })).status).toBe(200);
    expect((await api.get('panel/location?per_page=10000', { token: admin })).body.errors.per_page).toBeDefined();
  });

  test('are licensed by a date or by years, and filtered by it', async () => {
    const { id } = await make('Licensed');
    const byYear = await api.post(`panel/location/${id}/license`, { token: admin, body: { year: 2 } });
    expect(byYear.status).toBe(200);
    expect(byYear.body.data).toMatchObject({ is_trial: false, trial_remain: 0 });
    expect([730, 731]).toContain(byYear.body.data.license_remain);
    const names = async (filter: string) =>
      (await api.get(`panel/location?license=${filter}&per_page=9999`, { token: admin })).body.data.map(
        (l: { name: string }) => l.name,
      );
    expect(await names('active')).toContain('Licensed');
    expect(await names('in_demo')).not.toContain('Licensed');
    const past = await api.post(`panel/location/${id}/license`, {
      token: admin,
      body: { license_end_at: '2020-01-01 12:00:00' },
    });
    expect(past.body.errors).toEqual({ license_end_at: ['This day has passed.'] });
    expect((await api.get(`panel/location/${id}`, { token: admin })).body.data).toMatchObject({
      license_end_at: byYear.body.data.license_end_at,
    });
    await api.inTenant(tx => tx.run(sql`update locations set license_end_at = '2020-01-01' where id = ${id}`));
    expect(await names('suspended')).toContain('Licensed');
    for (const [body, errors] of [
      [{ license_end_at: 'x' }, { license_end_at: ['Geçerli bir tarih değil.'] }],
      [{ license_end_at: '9999-12-31' }, { license_end_at: ['Geçerli bir tarih değil.'] }],
      [{ license_end_at: '2026-13-45' }, { license_end_at: ['Geçerli bir tarih değil.'] }],
      [{ year: 4 }, { year: ['Şunlardan birini seçin: 1, 2, 3.'] }],
      [{}, { license_end_at: ['Bu alan zorunludur.'] }],
      [
        { license_end_at: '2030-01-01', year: 2 },
        { year: ['Bitiş tarihi ya da yıl sayısı girin; ikisi birden olmaz.'] },
      ],
    ])
      expect(
        (await api.post(`panel/location/${id}/license`, { token: admin, language: 'tr', body })).body.errors,
      ).toEqual(errors);
    // Adding years repeatedly does not exceed the years of RFC 3339.
    for (const body of [{ license_end_at: '8999-12-30' }, { year: 3 }, { year: 3 }]) {
      const answer = await api.post(`panel/location/${id}/license`, { token: admin, body });
      expect(answer.body.data.license_end_at, answer.text).toMatch(/^(8999-12-30|9000-01-01)T/);
    }
    const bad = await api.post(`panel/location/${id}/license`, { token: admin, body: { year: 7 } });
    expect(bad.status).toBe(422);
    expect(bad.body.errors.year).toBeDefined();
  });

  test('get one licence per call, and each audit entry has the right end before and after', async () => {
    const { id } = await make('Onca');
    await Promise.all(
      Array.from({ length: 10 }, () => api.post(`panel/location/${id}/license`, { token: admin, body: { year: 1 } })),
    );
    const log = (await api.get(`panel/audit?location_id=${id}&per_page=50`, { token: admin })).body.data;
    const ends = log
      .filter((it: Anything) => it.after?.license_end_at)
      .map((it: Anything) => [it.before.license_end_at, it.after.license_end_at])
      .reverse();
    expect(ends).toHaveLength(10);
    expect(ends[0][0]).toBeNull();
    for (const [n, [before]] of ends.slice(1).entries()) expect(before).toBe(ends[n][1]);
  });

  test('have an SMS package, which their own managers cannot change', async () => {
    const { id, sms_limit } = await make('Mesaj');
    const put = (token: string, limit: number | string | null) =>
      api.put(`panel/location/${id}`, { token, body: { name: 'Mesaj', sms_limit: limit } });
    expect((await put(admin, 123)).body.errors).toHaveProperty('sms_limit');
    const manager = (await api.user('member', { location: id })).token;
    expect((await put(manager, 10_000)).status).toBe(403);
    expect((await put(manager, sms_limit)).status, 'sent back as it is').toBe(200);
    expect((await put(admin, 2000)).body.data.sms_limit).toBe(2000);
    for (const nothing of [null, ''])
      expect((await put(admin, nothing)).body.errors, 'a location always has one').toHaveProperty('sms_limit');
    const created = await api.post('panel/location', { token: admin, body: { name: 'Kutu', sms_limit: null } });
    expect(created.body.data.sms_limit, 'a form without SMS sends none').toBe(1000);
  });

  test('can be deleted while they are active; their members get another active location', async () => {
    const { id: first } = await make('Kapanan');
    const { id: second } = await make('Kalan');
    const member = await api.user('member', { location: first });
    await api.post(`panel/location/${second}/user`, { token: admin, body: { email: member.email } });
    const [invite] = (await api.get('panel/user/invites', member)).body.data;
    await api.post(`panel/user/invite/accept/${invite.id}`, member);
    expect((await api.delete(`panel/location/${first}`, { token: admin })).status).toBe(204);
    expect((await api.get('panel/user/me', member)).body.data.active_location).toMatchObject({ id: second });
    expect((await api.get('panel/device', member)).status).toBe(200);
    expect((await api.delete(`panel/location/${second}`, { token: admin })).status).toBe(204);
    expect((await api.get('panel/user/me', member)).body.data.active_location).toBeNull();
  });

  test('accept units in upper or lower case', async () => {
    const { id } = await make('Units');
    const body = { daily_bandwidth_unit: 'GB', time_limit_unit: 'Day' };
    const answer = await api.put(`panel/location/${id}`, { token: admin, body });
    expect(answer.body.data).toMatchObject({ daily_bandwidth_unit: 'gb', time_limit_unit: 'day' });
    const bad = await api.put(`panel/location/${id}`, { token: admin, body: { daily_bandwidth_unit: 'TB' } });
    expect(Object.keys(bad.body.errors)).toEqual(['daily_bandwidth_unit']);
  });

  test('take a daily volume with up to two decimals', async () => {
    const { id } = await make('Parts');
    const put = (daily_bandwidth: unknown) =>
      api.put(`panel/location/${id}`, { token: admin, language: 'tr', body: { daily_bandwidth } });
    for (const volume of [1.5, '2.25', 1024]) {
      const saved = await put(volume);
      expect([saved.status, saved.body.data?.daily_bandwidth], saved.text).toEqual([200, Number(volume)]);
    }
    for (const volume of [0.99, 1.005, 1024.01, '1,5', 'x']) {
      const refused = await put(volume);
      expect([refused.status, Object.keys(refused.body.errors)], String(volume)).toEqual([422, ['daily_bandwidth']]);
    }
  });

  test('have names of one line, as have invited people', async () => {
    const { id, name } = await make('\tPalas\r\n\r\nYour bill\nis due\r\n');
    expect(name).toBe('Palas Your bill is due');
    const person = { email: 'satirlar@example.com', first_name: 'Ali\n\nVeli' };
    const invited = await api.post(`panel/location/${id}/user`, { token: admin, body: person });
    expect(invited.body.data.first_name).toBe('Ali Veli');
    // Values that were stored before are still returned.
    await api.inTenant(tx => tx.run(sql`update locations set name = ${'one\ntwo'} where id = ${id}`));
    expect((await api.get(`panel/location/${id}`, { token: admin })).status).toBe(200);
    const blank = await api.put(`panel/location/${id}`, { token: admin, body: { name: '\r\n' } });
    expect(blank.body.errors).toEqual({ name: ['This field is required.'] });
  });

  test('refuse bad input by field, in the language of the caller, and change nothing', async () => {
    const empty = await api.post('panel/location', { token: admin, body: {}, language: 'tr' });
    expect(empty.status).toBe(422);
    expect(empty.body.errors).toEqual({ name: ['Bu alan zorunludur.'] });
    const { id } = await make('Steady');
    for (const body of [
      { time_limit: 31 },
      { daily_bandwidth: 0 },
      { mac_whitelist: ['xx'] },
      { time_zone: 'Mars/Olympus' },
      { time_zone: 'GMT+3' },
      { name: '\u200b \u3164' },
      { portal_id: '00000000-0000-4000-8000-000000000000' },
      { default_profile_id: '00000000-0000-4000-8000-000000000000' },
      { name: 'null\u0000byte' },
      { available_providers: ['fax'] },
    ]) {
      const answer = await api.put(`panel/location/${id}`, { token: admin, body });
      expect(answer.status, JSON.stringify(body)).toBe(422);
      expect(Object.keys(answer.body.errors)[0]).toContain(Object.keys(body)[0]);
    }
    expect((await api.get(`panel/location/${id}`, { token: admin })).body.data).toMatchObject({
      name: 'Steady',
      time_limit: 10,
    });
    expect((await api.post('panel/location', { token: admin, body: '{"name":' })).status).toBe(400);
    expect((await api.get('panel/location/not-an-id', { token: admin })).status).toBe(404);
  });

  test('take every name of a time zone, and keep the one that browsers and databases of every age know', async () => {
    const { id } = await make('Zones');
    for (const [time_zone, kept] of [
      ['Asia/Kolkata', 'Asia/Calcutta'],
      ['Europe/Kyiv', 'Europe/Kiev'],
      ['Etc/UTC', 'UTC'],
      ['America/New_York', 'America/New_York'],
    ]) {
      const answer = await api.put(`panel/location/${id}`, { token: admin, body: { time_zone } });
      expect([answer.status, answer.body.data?.time_zone], time_zone).toEqual([200, kept]);
    }
  });

  test('belong to their reseller; other resellers and members do not see them', async () => {
    const ayse = await api.user('reseller');
    const burak = await api.user('reseller');
    const hers = await make('Hers', ayse.token);
    await make('His', burak.token);
    const names = async (token: string) =>
      (await api.get('panel/location', { token })).body.data.map((l: { name: string }) => l.name);
    expect(await names(ayse.token)).toEqual(['Hers']);
    expect(await names(burak.token)).toEqual(['His']);
    for (const answer of [
      await api.get(`panel/location/${hers.id}`, { token: burak.token }),
      await api.put(`panel/location/${hers.id}`, { token: burak.token, body: { name: 'Stolen' } }),
      await api.delete(`panel/location/${hers.id}`, { token: burak.token }),
      await api.post(`panel/location/${hers.id}/license`, { token: burak.token, body: { year: 1 } }),
      await api.post(`panel/user/team/change/${hers.id}`, { token: burak.token }),
    ])
      expect(answer.status).toBe(404);
    expect((await api.get(`panel/location/${hers.id}`, { token: ayse.token })).body.data.name).toBe('Hers');
  });

  test('are not accessible to anonymous users, other tenants and members without the permission', async () => {
    const { id } = await make('Guarded');
    expect((await api.get('panel/location')).status).toBe(401);
    const foreign = await api.user('tenant-admin', { tenant: 'other' });
    expect((await api.get(`panel/location/${id}`, { token: foreign.token })).status).toBe(401);
    expect((await api.get(`panel/location/${id}`, { token: foreign.token, tenant: 'other' })).status).toBe(404);
    const viewer = await api.user('member', { location: id, permissions: ['view-devices'] });
    expect((await api.get(`panel/location/${id}`, { token: viewer.token })).status).toBe(200);
    expect((await api.put(`panel/location/${id}`, { token: viewer.token, body: { name: 'Mine' } })).status).toBe(403);
    expect((await api.post('panel/location', { token: viewer.token, body: { name: 'New' } })).status).toBe(403);
    const manager = await api.user('member', { location: id });
    expect((await api.put(`panel/location/${id}`, { token: manager.token, body: { name: 'Guarded 2' } })).status).toBe(
      200,
    );
    expect((await api.delete(`panel/location/${id}`, { token: manager.token })).status).toBe(403);
    const auditor = await api.user('auditor');
    expect((await api.get(`panel/location/${id}`, { token: auditor.token })).status).toBe(200);
    expect((await api.put(`panel/location/${id}`, { token: auditor.token, body: { name: 'Mine' } })).status).toBe(403);
  });
});
