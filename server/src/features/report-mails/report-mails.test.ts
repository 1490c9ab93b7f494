import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { recordPast } from '#features/sessions/public.ts';
import { takeMails } from '#mail/testing.ts';
import { type Body, startApi, type TestApi } from '#test/harness.ts';
import { makeDevice } from '../logs/testing/fixture.ts';
import { reportMailJobs } from './public.ts';

let api: TestApi;
let admin: string;
beforeAll(async () => {
  api = await startApi();
  admin = (await api.user('tenant-admin')).token;
});

const at = 'panel/reports/mail';
const form = (location: string, it: object = {}) => ({
  ...{
    location_id: location,
    name: 'Özet',
    frequency: 'weekly',
    reports: ['sales', 'visits', 'sessions'],
    language: 'tr',
  },
  recipients: ['Müdür@example.com', 'muhasebe@example.com', 'müdür@example.com'].map(to => to.replaceAll('ü', 'u')),
  ...it,
});
const make = async (location: string, it: object = {}, token = admin): Promise<Body> => {
  const answer = await api.post(at, { token, body: form(location, it) });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data;
};
const run = () => reportMailJobs[0]!.run(api.app);
/** Moves the last sent period into the past, so that another one has ended. */
const endPeriod = (id: string, period = '8 days') =>
  api.inTenant(tx =>
    tx.run(sql`update report_mails set done_until = (done_until - ${period}::interval)::date where id = ${id}`),
  );

let names = 0;
/** A location with a session on the last day of the last week, half an hour before local midnight. */
async function venue(zone = 'Europe/Istanbul') {
  const location = await api.location(admin, 'Çınar Otel');
  await api.put(`panel/location/${location}`, { token: admin, body: { time_zone: zone } });
  const device = await makeDevice(api, { nas: `rapor${String(++names).padStart(3, '0')}`, location });
  const username = `ayse${names}`;
  await api.post('panel/client', {
    token: admin,
    body: {
      location_id: location,
      name: 'Ayşe Işık',
      provider_type: 'username',
      username,
      password: 'secret1',
      phone: '+905551112233',
    },
  });
  const { late, sunday } = await api.inTenant(tx =>
    tx.one<{ late: string; sunday: string }>(sql`
      select (date_trunc('week', now() at time zone ${zone}) - interval '30 minutes') at time zone ${zone} as late,
        (date_trunc('week', now() at time zone ${zone})::date - 1)::text as sunday`),
  );
  await recordPast(api.app, await api.tenantId('panel'), [
    {
      ...{
        deviceId: device.id,
        username,
        mac: 'A0:00:00:00:00:01',
        ip: '10.5.50.9',
        sessionId: `s${names}`,
        seconds: 600,
      },
      ...{ startedAt: new Date(late), upload: 1_000_000, download: 5_000_000 },
    },
  ]);
  return { location, sunday, late };
}

describe('reports by mail', () => {
  test('go no more to a member who was removed', async () => {
    const { location } = await venue();
    const member = await api.user('member', { location });
    const shared = await make(location, { recipients: [member.email, 'muhasebe@example.com'] });
    const alone = await make(location, { recipients: [member.email] });
    const elsewhere = await make((await venue()).location, { recipients: [member.email] });
    const removed = await api.delete(`panel/location/${location}/user/${member.id}`, { token: admin });
    expect(removed.status).toBe(204);
    const list = (await api.get(at, { token: admin })).body.data as Body[];
    const of = ({ id }: Body) => list.find(it => it['id'] === id);
    expect(of(shared)).toMatchObject({ recipients: ['muhasebe@example.com'], is_active: true });
    expect(of(alone)).toMatchObject({ is_active: false });
    expect(of(elsewhere)).toMatchObject({ recipients: [member.email], is_active: true });
  });

  describe('go no more to a user who may not read them any more', () => {
    type User = { id: string; email: string; token: string };
    const rights = (location: string, user: User, permissions: string[]) =>
      api.put(`panel/location/${location}/user/${user.id}`, { token: admin, body: { permissions } });
    const limit = (location: string, user: User, device: string) =>
      api.put(`panel/location/${location}/user/${user.id}`, { token: admin, body: { deviceIds: [device] } });
    const every = ['update-location', 'view-basic-stats', 'view-clients'];
    const state = async (...made: Body[]) => {
      const list = (await api.get(`${at}?per_page=200`, { token: admin })).body.data as Body[];
      return made.map(({ id }) => list.find(it => it['id'] === id)).map(it => [it!['recipients'], it!['is_active']]);
    };
    const other = 'muhasebe@example.com';

    test('a member who loses the names of visitors, or devices', async () => {
      const { location } = await venue();
      const device = (await api.get(`panel/device?location_id=${location}`, { token: admin })).body.data[0].id;
      for (const [take, keepsVisits] of [
        [(user: User) => rights(location, user, ['update-location', 'view-basic-stats']), true],
        [(user: User) => limit(location, user, device), false],
      ] as const) {
        const member = await api.user('member', { location, permissions: every });
        const { email } = member;
        const named = await make(location, { recipients: [email, other] }, member.token);
        const alone = await make(location, { recipients: [email] });
        const visits = await make(location, { recipients: [email, other], reports: ['visits'] });
        const answer = await take(member);
        expect(answer.status, answer.text).toBe(200);
        expect(await state(named, alone, visits)).toEqual([
          [[other], true],
          [[email], false],
          [keepsVisits ? [email, other] : [other], true],
        ]);
        // An administrator may decide otherwise.
        const again = await api.put(`${at}/${named.id}`, { token: admin, body: { recipients: [email] } });
        expect(again.status, again.text).toBe(200);
        expect((await rights(location, member, ['view-clients'])).status).toBe(200);
        await api.inTenant(tx => tx.run(sql`delete from report_mails where location_id = ${location}`));
      }
    });

    test('a member who keeps these rights, or gets more, still gets them', async () => {
      const { location } = await venue();
      const member = await api.user('member', { location, permissions: [...every, 'view-devices'] });
      const named = await make(location, { recipients: [member.email] });
      for (const permissions of [every, [...every, 'delete-clients']])
        expect((await rights(location, member, permissions)).status).toBe(200);
      expect(await state(named)).toEqual([[[member.email], true]]);
    });

    test('an administrator who is removed, or becomes a reseller of other locations', async () => {
      const [{ location }, own] = [await venue(), await api.location(admin, 'Kendi')];
      const users = [await api.user('tenant-admin'), await api.user('tenant-admin'), await api.user('auditor')];
      const recipients = [...users.map(it => it.email), other];
      const [made, kept] = [await make(location, { recipients }), await make(own, { recipients })];
      const [removed, reseller, auditor] = users as [User, User, User];
      const body = { role: 'reseller', location_ids: [own] };
      const changed = await api.put(`panel/tenant/users/${reseller.id}`, { token: admin, body });
      expect(changed.status, changed.text).toBe(200);
      expect((await api.delete(`panel/tenant/users/${removed.id}`, { token: admin })).status).toBe(204);
      expect(await state(made, kept)).toEqual([
        [[auditor.email, other], true],
        [[reseller.email, auditor.email, other], true],
      ]);
      const user = await api.put(`panel/tenant/users/${auditor.id}`, { token: admin, body: { role: 'tenant-admin' } });
      expect(user.status, user.text).toBe(200);
      expect(await state(made)).toEqual([[[auditor.email, other], true]]);
    });

    test('a reseller whose customer was handed over', async () => {
      const [before, after] = [await api.user('reseller'), await api.user('reseller')];
      const [customer, kept] = [await api.location(before.token, 'Kafe'), await api.location(before.token, 'Han')];
      const made = await make(customer, { recipients: [before.email, other] });
      const stays = await make(kept, { recipients: [before.email] });
      const given = { token: admin, body: { email: after.email } };
      expect((await api.post(`panel/location/${customer}/hand-over`, given)).status).toBe(204);
      expect(await state(made, stays)).toEqual([
        [[other], true],
        [[before.email], true],
      ]);
    });
  });

  test('are sent to each recipient once per week, with the local days of the location', async () => {
    const { location, sunday } = await venue('Pacific/Auckland');
    const made = await make(location);
    expect(made).toMatchObject({
      reports: ['visits', 'sessions', 'sales'],
      recipients: ['mudur@example.com', 'muhasebe@example.com'],
      with_names: true,
      last_sent_at: null,
    });
    await run();
    expect(await takeMails(api.app), 'the first week is the current one').toEqual([]);
    await endPeriod(made.id);
    await Promise.all([run(), run()]);
    await run();
    const mails = await takeMails(api.app);
    expect(mails.map(mail => mail.to).sort()).toEqual(['mudur@example.com', 'muhasebe@example.com']);
    const [mail] = mails;
    expect(mail!.subject).toContain('Özet: Çınar Otel');
    expect(mail!.text).toContain('Haftalık raporunuz');
    expect(mail!.files.map(file => file.name.replace(/-\d.*/, ''))).toEqual(['visits', 'session-reports', 'sales']);
    expect(mail!.files[0]!.name).toContain(sunday);
    const lines = mail!.files[0]!.text.replace(/\r\n$/, '').split('\r\n');
    expect(lines).toHaveLength(8);
    expect(lines[0]).toBe('\uFEFFGün,Ziyaret,Misafir,İndirme (MB),Yükleme (MB),Başarısız giriş');
    expect(lines.at(-1)).toBe(`${sunday},1,1,5,1,0`);
    expect(mail!.files[1]!.text).toContain(`Ayşe Işık,'+905551112233,A0:00:00:00:00:01,10.5.50.9,${sunday} 23:30:00+`);
    const { body } = await api.get(at, { token: admin });
    expect(body.data.find((it: Body) => it.id === made.id).last_sent_at).not.toBeNull();
  });

  test('are sent later if queueing failed', async () => {
    const { location } = await venue();
    const made = await make(location, { reports: ['visits'], recipients: ['a@example.com'] });
    await endPeriod(made.id);
    await api.app.db.pool.query('alter table outbox_mails rename to outbox_away');
    await expect(run()).rejects.toThrow('outbox_mails');
    await api.app.db.pool.query('alter table outbox_away rename to outbox_mails');
    expect(await takeMails(api.app)).toEqual([]);
    await run();
    expect(await takeMails(api.app)).toHaveLength(1);
  });

  test('are sent only for the last of several missed weeks; a month has all its days', async () => {
    const { location } = await venue();
    const made = await make(location, { reports: ['visits'], recipients: ['a@example.com'] });
    await endPeriod(made.id, '28 days');
    await run();
    expect(await takeMails(api.app)).toHaveLength(1);
    const monthly = await make(location, {
      frequency: 'monthly',
      reports: ['visits'],
      recipients: ['b@example.com'],
      language: 'en',
    });
    await endPeriod(monthly.id, '32 days');
    await run();
    const [mail] = await takeMails(api.app);
    const now = new Date(Date.now() + 3 * 3_600_000);
    const days = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 0)).getUTCDate();
    expect(mail!.files[0]!.text.replace(/\r\n$/, '').split('\r\n')).toHaveLength(days + 1);
    expect(mail!.text).toContain('Your monthly report');
  });

  test('are paused, changed and deleted; a resumed report skips the paused periods', async () => {
    const { location } = await venue();
    const made = await make(location, { reports: ['visits'], recipients: ['a@example.com'] });
    const change = (it: object) =>
      api.put(`${at}/${made.id}`, { token: admin, body: { ...form(location), recipients: ['a@example.com'], ...it } });
    expect((await change({ is_active: false })).body.data.is_active).toBe(false);
    await endPeriod(made.id);
    await run();
    await change({ is_active: true });
    await run();
    expect(await takeMails(api.app)).toEqual([]);
    await endPeriod(made.id);
    expect((await api.delete(`${at}/${made.id}`, { token: admin })).status).toBe(204);
    await run();
    expect(await takeMails(api.app)).toEqual([]);
    const { body } = await api.get('panel/audit?subject_type=report-mail&per_page=200', { token: admin });
    const entries = body.data.filter((it: Body) => it.subject.id === made.id).map((it: Body) => it.verb);
    expect(entries).toEqual(['delete', 'update', 'update', 'create']);
  });

  test('contain no names if their author may not see visitors', async () => {
    const { location } = await venue();
    const { token } = await api.user('member', { location, permissions: ['update-location', 'view-basic-stats'] });
    const made = await make(location, { reports: ['sessions'], recipients: ['a@example.com'] }, token);
    expect(made.with_names).toBe(false);
    await endPeriod(made.id);
    await run();
    const [mail] = await takeMails(api.app);
    expect(mail!.files[0]!.text).toContain('A*** I***,***33,');
  });

  test('lose the names when someone who may not see visitors changes them', async () => {
    const { location } = await venue();
    const made = await make(location, { reports: ['sessions'], recipients: ['a@example.com'] });
    expect(made.with_names).toBe(true);
    const { token } = await api.user('member', { location, permissions: ['update-location', 'view-basic-stats'] });
    const { location_id: _, ...change } = form(location, {
      reports: ['sessions'],
      recipients: ['b@example.com'],
    }) as Body;
    const changed = await api.put(`${at}/${made.id}`, { token, body: change });
    expect([changed.status, changed.body.data?.with_names], changed.text).toEqual([200, false]);
    await endPeriod(made.id);
    await run();
    const [mail] = await takeMails(api.app);
    expect(mail!.files[0]!.text).toContain('A*** I***,***33,');
  });

  test('refuse bad input by field, and users without the permission', async () => {
    const { location } = await venue();
    const bad = await api.post(at, {
      token: admin,
      body: { location_id: location, frequency: 'daily', reports: [], recipients: ['x'], language: 'de' },
    });
    expect(bad.status).toBe(422);
    expect(Object.keys(bad.body.errors).sort()).toEqual(['frequency', 'language', 'name', 'recipients', 'reports']);
    const made = await make(location);
    const other = await api.location(admin, 'Komşu');
    const neighbour = (await api.user('member', { location: other })).token;
    expect((await api.put(`${at}/${made.id}`, { token: neighbour, body: form(location) })).status).toBe(404);
    expect((await api.delete(`${at}/${made.id}`, { token: neighbour })).status).toBe(404);
    expect((await api.get(at, { token: neighbour })).body.data).toEqual([]);
    // A member limited to devices may not manage reports, which cover all devices.
    const limited = (await api.user('member', { location, deviceIds: ['00000000-0000-4000-8000-000000000000'] })).token;
    expect((await api.post(at, { token: limited, body: form(location) })).status).toBe(403);
    const { location_id: _, ...change } = form(location, { recipients: ['limited@example.com'] }) as Body;
    expect((await api.put(`${at}/${made.id}`, { token: limited, body: change })).status).toBe(403);
    const clerk = (await api.user('member', { location, permissions: ['view-basic-stats'] })).token;
    expect((await api.post(at, { token: clerk, body: form(location) })).status).toBe(403);
  });
});
