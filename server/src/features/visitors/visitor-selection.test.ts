import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Body } from '#test/harness.ts';
import { type Desk, openDesk } from './testing/desk.ts';

let desk: Desk;
let api: Desk['api'];
let admin: Desk['admin'];
beforeAll(async () => {
  desk = await openDesk();
  ({ api, admin } = desk);
});

const on = (verb: string, body: object, token = admin) => api.post(`panel/client/selected/${verb}`, { token, body });
const get = async (id: string): Promise<Body> => (await api.get(desk.at(id), { token: admin })).body.data;
const list = async (query: string): Promise<Body[]> =>
  (await api.get(`panel/client?location_id=${desk.location}&${query}`, { token: admin })).body.data;
const entries = async (): Promise<Body[]> =>
  (await api.get('panel/audit?subject_type=visitor&per_page=1000', { token: admin })).body.data;
const nowhere = '00000000-0000-4000-8000-000000000000';
const year = (n: number) => new Date(Date.now() + n * 365 * 86_400_000).toISOString();

describe('selected visitors', () => {
  test('are extended with one entry in the audit log, those without an end are skipped', async () => {
    const end = '2031-03-27T12:00:00Z';
    const [one, two, open] = await Promise.all([
      desk.make(desk.user({ session_end_at: end })),
      desk.make(desk.user({ session_end_at: end })),
      desk.make(desk.user()),
    ]);
    const ids = [one!.id, two!.id, open!.id];
    const before = (await entries()).length;
    const answer = await on('extend', { ids, days: 3, expected_end_at: { [one!.id]: end } });
    expect(answer.body.data).toEqual({ changed: 2, skipped: 1, told: 0 });
    // The clocks of the location go forward in between, elsewhere than in Turkey.
    expect((await get(one!.id)).session_end_at).toBe('2031-03-30T12:00:00Z');
    expect((await get(open!.id)).session_end_at).toBeNull();
    const [entry, ...rest] = await entries();
    expect(rest).toHaveLength(before);
    expect(entry).toMatchObject({ verb: 'update', after: { total_user: 2, days: 3 } });
    expect(Object.keys(entry!.after.visitors).sort()).toEqual([one!.id, two!.id].sort());
    expect(JSON.stringify(entry), 'names are kept as initials').not.toContain('Ayşe');

    const stale = await on('extend', { ids, days: 3, expected_end_at: { [one!.id]: end } });
    expect(stale.status).toBe(409);
    expect(stale.body.errors).toHaveProperty([`expected_end_at.${one!.id}`]);
    expect((await get(two!.id)).session_end_at).toBe('2031-03-30T12:00:00Z');

    expect((await on('extend', { ids, until: '2032-01-01 10:00' })).body.data.changed).toBe(3);
    expect((await get(open!.id)).session_end_at).toBe('2032-01-01T07:00:00Z');
    for (const [form, field] of [
      [{}, 'days'],
      [{ days: 0 }, 'days'],
      [{ days: 1, until: year(1) }, 'days'],
      [{ until: '2020-01-01T00:00:00Z' }, 'until'],
      [{ until: '2020-01-01 00:00' }, 'until'],
    ] as const)
      expect((await on('extend', { ids, ...form })).body.errors).toHaveProperty(field);
    const endless = await desk.make(desk.user());
    const refused = async (...of: string[]) => (await on('extend', { ids: of, days: 2 })).body.errors.days[0];
    expect(await refused(endless.id)).toMatch(/^This visitor/);
    expect(await refused(endless.id, (await desk.make(desk.user())).id)).toMatch(/^None of these visitors/);
  });

  test('days on a paid profile are sold', async () => {
    const profile = (
      await api.post('panel/location/user-profile', {
        token: admin,
        body: {
          location_id: desk.location,
          name: 'Ücretli',
          paid_sale: { is_active: true, option: 'eur', value: 5 },
        },
      })
    ).body.data;
    const paying = await desk.make(desk.user({ profile_id: profile.id, total_paid_day: 2 }));
    await on('extend', { ids: [paying.id], days: 4 });
    expect((await get(paying.id)).total_paid_day).toBe(6);
    const { days } = await api.inTenant(tx =>
      tx.one<{ days: number }>(sql`select sum(days)::int as days from sales where visitor_id = ${paying.id}`),
    );
    expect(days).toBe(6);
  });

  test('are paused, resumed and deleted; cards show the passwords of those that have one', async () => {
    const made = [await desk.make(desk.user()), await desk.make(desk.user()), await desk.make(desk.room())];
    const ids = made.map(it => it.id as string);
    expect((await on('pause', { ids })).body.data).toMatchObject({ changed: 3, skipped: 0 });
    expect((await on('pause', { ids })).body.data, 'nothing to do').toMatchObject({ changed: 0, skipped: 3 });
    expect((await list('status=paused')).map(it => it.id).sort()).toEqual([...ids].sort());
    expect((await on('resume', { ids })).body.data.changed).toBe(3);
    expect(await list('status=paused')).toEqual([]);
    expect((await on('end-sessions', { ids })).body.data).toMatchObject({ changed: 3, told: 0 });
    const cards: Body[] = (await on('cards', { ids })).body.data;
    expect(cards.map(it => [it.id, it.password]).sort()).toEqual(
      ids
        .slice(0, 2)
        .map(id => [id, 'parola1'])
        .sort(),
    );
    expect((await entries())[0]).toMatchObject({ verb: 'export', after: { total_user: 2 } });
    const file = await api.post('panel/client/export', { token: admin, body: { ids: [ids[2]] } });
    expect(file.text.trim().split('\r\n')).toHaveLength(2);
    expect((await on('delete', { ids: [...ids, ids[0]] })).body.data.changed).toBe(3);
    expect((await api.get(desk.at(ids[0]!), { token: admin })).status).toBe(404);
    expect((await entries())[0]).toMatchObject({ verb: 'delete', before: { total_user: 3 } });
  });

  test('are exported together, or not at all if one is gone or in reach of others only', async () => {
    const [mine, gone] = [await desk.make(desk.user({ name: 'Duran' })), await desk.make(desk.user({ name: 'Giden' }))];
    const exported = (ids: string[], token = admin) => api.post('panel/client/export', { token, body: { ids } });
    expect((await exported([mine.id, mine.id, gone.id])).text.trim().split('\r\n')).toHaveLength(3);
    expect((await on('delete', { ids: [gone.id] })).status).toBe(200);
    const refused = await exported([mine.id, gone.id]);
    expect(refused.status).toBe(422);
    expect(refused.body.errors.ids[0]).toContain('deleted meanwhile');
    const neighbour = (await api.user('member', { location: desk.other, permissions: ['view-clients'] })).token;
    expect((await exported([mine.id], neighbour)).status).toBe(422);
    expect((await exported([])).status, 'none selected is not all').toBe(422);
  });

  test('are moved to another profile and location, by the rules for one visitor', async () => {
    const profileForm = { name: 'Hızlı', location_id: desk.location };
    const made = async (body: object) =>
      (await api.post('panel/location/user-profile', { token: admin, body })).body.data.id;
    const fast = await made(profileForm);
    const paid = await made({
      ...profileForm,
      name: 'Ücretli',
      paid_sale: { is_active: true, option: 'eur', value: 5 },
    });
    const [one, two, twin] = [await desk.make(desk.user()), await desk.make(desk.room()), await desk.make(desk.user())];
    const ids: string[] = [one.id, two.id, twin.id];
    const here = { ids, location_id: desk.location };
    expect((await on('move', { ...here, profile_id: fast })).body.data).toEqual({ changed: 3, skipped: 0, told: 0 });
    expect((await get(one.id)).profile).toMatchObject({ name: 'Hızlı' });
    // None can be moved: nothing to do, not paid for, and without a profile those who are there keep theirs.
    for (const profile_id of [fast, paid])
      expect((await on('move', { ...here, profile_id })).body.errors).toEqual({ profile_id: [expect.any(String)] });
    for (const form of [here, { ...here, profile_id: null }])
      expect((await on('move', form)).body.errors).toEqual({ location_id: [expect.any(String)] });
    expect((await get(one.id)).profile).toMatchObject({ name: 'Hızlı' });

    await desk.make(desk.user({ location_id: desk.other, username: twin.username }));
    const away = { ids, location_id: desk.other };
    for (const profile_id of [fast, nowhere])
      expect((await on('move', { ...away, profile_id })).body.errors, 'of another location').toHaveProperty(
        'profile_id',
      );
    expect((await on('move', away)).body.data).toEqual({ changed: 2, skipped: 1, told: 0 });
    expect(await get(one.id)).toMatchObject({ location_id: desk.other, profile: null });
    expect(await get(twin.id)).toMatchObject({ location_id: desk.location });
    const logs = (await entries()).slice(0, 2);
    expect(logs.map(it => it.location.id).sort()).toEqual([desk.location, desk.other].sort());
    for (const entry of logs) expect(entry).toMatchObject({ verb: 'update', after: { total_user: 2 } });
    for (const location_id of [undefined, nowhere])
      expect((await on('move', { ids, location_id })).body.errors).toHaveProperty('location_id');
    const member = (await api.user('member', { location: desk.location })).token;
    expect((await on('move', { ids: [twin.id], location_id: desk.other }, member)).body.errors).toHaveProperty(
      'location_id',
    );

    // Two who would meet there: the first is moved.
    const rivals = [
      await desk.make(desk.user({ username: 'ikiz' })),
      await desk.make(desk.user({ username: 'ikiz', location_id: desk.other })),
    ];
    const third = await api.location(admin, 'Pansiyon');
    const met = await on('move', { ids: rivals.map(it => it.id), location_id: third });
    expect(met.body.data).toMatchObject({ changed: 1, skipped: 1 });
  });

  test('of two who would meet at the destination, the first that can be moved is moved', async () => {
    const place = await api.location(admin, 'Rıhtım');
    const paid_sale = { is_active: true, option: 'eur', value: 5 };
    const form = { name: 'Günlük', location_id: place, paid_sale };
    const profile_id = (await api.post('panel/location/user-profile', { token: admin, body: form })).body.data.id;
    const unpaid = await desk.make(desk.user({ username: 'aynı' }));
    const timed = await desk.make(desk.user({ username: 'aynı', location_id: desk.other, session_end_at: year(1) }));
    const answer = await on('move', { ids: [unpaid.id, timed.id], location_id: place, profile_id });
    expect(answer.body.data).toMatchObject({ changed: 1, skipped: 1 });
    expect((await get(timed.id)).location_id).toBe(place);
  });

  test('with free access at the destination by the same device are skipped, as one visitor is refused', async () => {
    const place = await api.location(admin, 'Köşk');
    const guests = [];
    for (const [i, location_id] of [desk.location, desk.other, place, desk.location].entries()) {
      const { id } = await desk.make(desk.user({ location_id }));
      const mac = i === 3 ? '02:00:00:00:09:02' : '02:00:00:00:09:01';
      await api.inTenant(tx =>
        tx.run(sql`update visitors set provider_type = 'temp', username = null, portal_mac = ${mac} where id = ${id}`),
      );
      guests.push(id);
    }
    const [one, two, there, free] = guests as [string, string, string, string];
    const single = await api.post(`panel/client/${one}/move`, { token: admin, body: { location_id: place } });
    expect([single.status, Object.keys(single.body.errors)]).toEqual([422, ['location_id']]);
    const none = await on('move', { ids: [one, two], location_id: place });
    expect([none.status, Object.keys(none.body.errors)]).toEqual([422, ['location_id']]);
    expect((await on('move', { ids: guests, location_id: place })).body.data).toMatchObject({ changed: 1, skipped: 3 });
    expect((await get(free)).location_id).toBe(place);
    await api.inTenant(tx => tx.run(sql`delete from visitors where id = ${there}`));
    expect((await on('move', { ids: [one, two], location_id: place })).body.data).toMatchObject({ changed: 1 });
  });

  test('nothing changes for those who may not, or if one visitor is out of reach', async () => {
    const mine = await desk.make(desk.user());
    const theirs = await desk.make(desk.user({ location_id: desk.other }));
    const neighbour = (await api.user('member', { location: desk.other })).token;
    const looking = await desk.viewer();
    const foreign = (await api.user('tenant-admin', { tenant: 'elsewhere' })).token;
    const verbs = {
      extend: { until: year(1) },
      move: { location_id: desk.location },
      pause: {},
      resume: {},
      'end-sessions': {},
      cards: {},
      delete: {},
    };
    const total = await desk.total();
    for (const [verb, more] of Object.entries(verbs)) {
      const body = { ids: [mine.id], ...more };
      expect((await api.post(`panel/client/selected/${verb}`, { body })).status).toBe(401);
      expect((await on(verb, body, looking)).status, verb).toBe(403);
      for (const ids of [[mine.id], [mine.id, theirs.id]])
        expect((await on(verb, { ...more, ids }, neighbour)).body.errors, verb).toHaveProperty('ids');
      expect((await on(verb, { ...more, ids: [mine.id, nowhere] })).body.errors, verb).toHaveProperty('ids');
      const away = await api.post(`panel/client/selected/${verb}`, { token: foreign, tenant: 'elsewhere', body });
      expect(away.body.errors, verb).toHaveProperty('ids');
      for (const ids of [undefined, [], 'x', ['x'], Array.from({ length: 1001 }, () => mine.id)]) {
        const answer = await on(verb, { ...more, ids });
        expect([answer.status, Object.keys(answer.body.errors)[0]], verb).toEqual([422, expect.stringMatching(/^ids/)]);
      }
    }
    expect(await desk.total()).toBe(total);
    expect(await get(mine.id)).toEqual(mine);
  });
});

describe('the list', () => {
  test('is ordered by name or end, and filtered by status', async () => {
    const place = await api.location(admin, 'Sıra');
    const make = (name: string, more: object = {}) => desk.make(desk.user({ name, location_id: place, ...more }));
    await make('Çağla', { session_end_at: year(2) });
    await make('çem', { session_end_at: year(1) });
    await make('Zeki', { session_start_at: year(1) });
    const past = await make('Ali', { session_end_at: year(1) });
    await api.inTenant(tx =>
      tx.run(sql`update visitors set session_end_at = now() - interval '1 day' where id = ${past.id}`),
    );
    const names = async (query: string) =>
      (await api.get(`panel/client?location_id=${place}&${query}`, { token: admin })).body.data.map(
        (it: Body) => it.name,
      );
    expect(await names('')).toEqual(['Ali', 'Zeki', 'çem', 'Çağla']);
    expect(await names('order=asc')).toEqual(['Çağla', 'çem', 'Zeki', 'Ali']);
    expect(await names('sort=name&order=asc')).toEqual(['Ali', 'Çağla', 'çem', 'Zeki']);
    expect(await names('sort=name&order=desc')).toEqual(['Zeki', 'çem', 'Çağla', 'Ali']);
    expect(await names('sort=until&order=asc')).toEqual(['Ali', 'çem', 'Çağla', 'Zeki']);
    expect(await names('sort=until&order=desc')).toEqual(['Zeki', 'Çağla', 'çem', 'Ali']);
    expect(await names('sort=name&order=asc&per_page=2&page=2')).toEqual(['çem', 'Zeki']);
    expect(await names('status=over')).toEqual(['Ali']);
    expect(await names('status=later')).toEqual(['Zeki']);
    expect(await names('status=valid,later&sort=name&order=asc')).toEqual(['Çağla', 'çem', 'Zeki']);
    expect(await names('status=valid&search=ce')).toEqual(['çem']);
    expect(await names('search=a&sort=name&order=asc')).toContain('Çağla');
    for (const bad of ['sort=password', 'order=up', 'status=x'])
      expect((await api.get(`panel/client?${bad}`, { token: admin })).status, bad).toBe(422);
    const file = await api.post('panel/client/export', {
      token: admin,
      body: { location_id: place, status: ['over'], search: 'a' },
    });
    expect(file.text.trim().split('\r\n')).toHaveLength(2);
  });
});
