import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { takeMails } from '#mail/testing.ts';
import { type Body, startApi, type TestApi } from '#test/harness.ts';
import { notifyOfEndings } from './licences.jobs.ts';

let api: TestApi;
type User = Awaited<ReturnType<TestApi['user']>>;
let admin: User;
let reseller: User;
let manager: User;
let location: string;
beforeAll(async () => {
  api = await startApi();
  admin = await api.user('tenant-admin');
});
beforeEach(async () => {
  reseller = await api.user('reseller');
  location = await api.location(reseller.token, 'Otel Mavi');
  manager = await api.user('member', { location });
  await takeMails(api.app);
});

const kinds = async (token: string) => (await notices(token)).map((n: { kind: string }) => n.kind);
const notices = async (token: string) =>
  (await api.get('panel/notification', { token })).body.data.filter(
    (n: { location_id: string }) => n.location_id === location,
  );
const ask = (token: string | undefined, year: unknown = 2) =>
  api.post(`panel/location/${location}/license-request`, { ...(token ? { token } : {}), body: { year } });
const endIn = (days: number, what: 'license_end_at' | 'trial_end_at' = 'license_end_at') =>
  api.inTenant(async tx => {
    const end = sql`now() + make_interval(secs => ${days * 86_400}) - interval '1 minute'`;
    if (what === 'trial_end_at')
      await tx.run(sql`update locations set license_end_at = null, trial_end_at = ${end} where id = ${location}`);
    else
      await tx.run(
        sql`update locations set trial_end_at = now() - interval '300 days', license_end_at = ${end} where id = ${location}`,
      );
  });

/** The events for the location's webhooks, oldest first. */
const told = async (): Promise<Body[]> => {
  const rows = await api.inTenant(tx =>
    tx.many<{ body: string }>(sql`select body from webhook_deliveries where location_id = ${location} order by id`),
  );
  return rows.map(it => JSON.parse(it.body)).map(({ type, data }) => ({ type, data }));
};
const addWebhook = async () => {
  const events = ['licence.requested', 'licence.expiring', 'licence.expired'];
  const params = { connection: { type: 'webhook', url: 'https://example.com/', events } };
  const body = { name: 'CRM', location_id: location, integration_id: 'webhook', params };
  expect((await api.post('panel/integration', { token: admin.token, body })).status).toBe(201);
};

describe('a licence request', () => {
  test('notifies the administrators and the reseller, in the panel and by mail, once a day', async () => {
    expect((await ask(manager.token)).status).toBe(204);
    expect((await ask(manager.token)).status).toBe(204);
    expect(await kinds(admin.token)).toEqual(['license_requested']);
    expect(await kinds(reseller.token)).toEqual(['license_requested']);
    expect(await kinds(manager.token)).toEqual([]);
    const [notice] = await notices(reseller.token);
    expect([notice.title, notice.body]).toEqual([
      'Otel Mavi requests a licence',
      expect.stringMatching(/^Test User \d+ requests 2 years\.$/),
    ]);
    const mails = await takeMails(api.app);
    expect(mails.map(it => it.to).sort()).toEqual([admin.email, reseller.email].sort());
    expect(mails[0]!.text).toContain('2 years for Otel Mavi');
    expect(mails[0]!.text).toContain(manager.email);
  });

  test('is allowed to managers of the location, for 1, 2 or 3 years', async () => {
    expect((await ask(manager.token, 4)).body.errors).toHaveProperty('year');
    expect((await ask(undefined)).status).toBe(401);
    expect((await ask((await api.user('member', { location, permissions: ['view-devices'] })).token)).status).toBe(403);
    expect((await ask((await api.user('reseller')).token)).status).toBe(404);
  });

  test('is sent once a day for each number of years, is recorded, and is told to webhooks', async () => {
    await addWebhook();
    // A user without a name is called by the e-mail address.
    await api.inTenant(tx => tx.run(sql`update users set first_name = '', last_name = '' where id = ${manager.id}`));
    for (const year of [2, 2, 3]) expect((await ask(manager.token, year)).status).toBe(204);
    const bodies = (await notices(admin.token)).map((it: Body) => it.body);
    expect(bodies.sort()).toEqual([2, 3].map(year => `${manager.email} requests ${year} years.`));
    const [mail] = await takeMails(api.app);
    expect(mail!.text).toContain(`(${manager.email}) requests a licence of 2 years for Otel Mavi.`);
    expect(await told()).toEqual(
      [2, 3].map(years => ({ type: 'licence.requested', data: { location_id: location, name: 'Otel Mavi', years } })),
    );
    const at = `panel/audit?location_id=${location}&subject_type=license-request`;
    const audits = (await api.get(at, { token: admin.token })).body.data;
    expect(audits).toMatchObject([3, 2].map(years => ({ verb: 'create', after: { years } })));
  });

  test('of a location without a reseller goes to the administrators alone', async () => {
    for (const owner of [null, manager.id]) {
      await api.inTenant(tx => tx.run(sql`update locations set owner_id = ${owner} where id = ${location}`));
      expect((await ask(manager.token, owner ? 1 : 3)).status).toBe(204);
      expect((await takeMails(api.app)).map(it => it.to)).toEqual([admin.email]);
      expect(await kinds(manager.token)).toEqual([]);
    }
  });
});

describe('a licence that ends', () => {
  test('is notified 30, 7 and 1 days before its end and at its end, once each', async () => {
    const subjects: string[] = [];
    for (const days of [45, 30, 7, 1, 0]) {
      // Another end each time simulates that days have passed.
      await endIn(days);
      for (let n = 0; n < 2; n++) await notifyOfEndings(api.app);
      const mails = (await takeMails(api.app)).filter(it => it.to === manager.email);
      subjects.push(...mails.map(it => it.subject));
    }
    expect(subjects).toEqual([
      'The licence of Otel Mavi ends in 30 days',
      'The licence of Otel Mavi ends in 7 days',
      'The licence of Otel Mavi ends in 1 day',
      'The licence of Otel Mavi has ended',
    ]);
  });

  test('is notified once to its managers, however often the job runs', async () => {
    await endIn(5);
    for (let n = 0; n < 3; n++) await notifyOfEndings(api.app);
    for (const who of [manager, reseller, admin]) expect(await kinds(who.token)).toEqual(['license_ending']);
    const viewer = await api.user('member', { location, permissions: ['view-devices'] });
    expect(await kinds(viewer.token)).toEqual([]);
    expect((await takeMails(api.app)).filter(it => it.to === manager.email)).toHaveLength(1);
  });

  test('is notified though another tenant’s notification fails', async () => {
    await endIn(5);
    // Both before and after in any order.
    const others = [];
    for (const slug of ['licence-one', 'licence-two']) {
      const { token } = await api.user('tenant-admin', { tenant: slug });
      const made = await api.post('panel/location', { token, tenant: slug, body: { name: 'Otel' } });
      others.push({ id: made.body.data.id, token, slug });
      await api.inTenant(
        tx =>
          tx.run(sql`update locations set license_end_at = now() + interval '5 days' where id = ${made.body.data.id}`),
        slug,
      );
    }
    const { pool } = api.app.db;
    await pool.query(`
      create function break_licence() returns trigger language plpgsql as $$
      begin
        raise 'this tenant fails';
      end $$;
      create trigger break_licence before insert on notifications for each row
        when (new.location_id = '${location}') execute function break_licence()`);
    try {
      await expect(notifyOfEndings(api.app)).rejects.toThrow();
      for (const { token, slug } of others) {
        const { data } = (await api.get('panel/notification', { token, tenant: slug })).body;
        expect(data.map((it: { kind: string }) => it.kind)).toEqual(['license_ending']);
      }
      expect(await kinds(manager.token)).toEqual([]);
    } finally {
      await pool.query('drop trigger break_licence on notifications; drop function break_licence()');
    }
    await notifyOfEndings(api.app);
    expect(await kinds(manager.token)).toEqual(['license_ending']);
  });

  test('replaces the trial, and is not notified if it ended long ago', async () => {
    await endIn(3, 'trial_end_at');
    await api.inTenant(tx => tx.run(sql`update locations set license_end_at = '2025-01-01' where id = ${location}`));
    await notifyOfEndings(api.app);
    expect(await kinds(manager.token)).toEqual([]);
  });

  test('a trial is notified from its last week on', async () => {
    await endIn(15, 'trial_end_at');
    await notifyOfEndings(api.app);
    expect(await kinds(manager.token)).toEqual([]);
    await endIn(7, 'trial_end_at');
    await notifyOfEndings(api.app);
    expect(await kinds(manager.token)).toEqual(['license_ending']);
  });

  test('is told to webhooks with its days, which are 0 once it is over', async () => {
    await addWebhook();
    const ends = [
      [8, 'trial_end_at'],
      [7, 'trial_end_at'],
      [30, 'license_end_at'],
      [-3, 'license_end_at'],
    ] as const;
    for (const [days, what] of ends) {
      await endIn(days, what);
      for (let n = 0; n < 2; n++) await notifyOfEndings(api.app);
    }
    const about = { location_id: location, name: 'Otel Mavi', ends_at: expect.any(String) };
    expect(await told()).toEqual([
      { type: 'licence.expiring', data: { ...about, days: 7, is_trial: true } },
      { type: 'licence.expiring', data: { ...about, days: 30, is_trial: false } },
      { type: 'licence.expired', data: { ...about, days: 0, is_trial: false } },
    ]);
  });

  test('is notified in the language of each reader, with the days, and for a week after its end', async () => {
    await api.inTenant(tx => tx.run(sql`update users set language = 'tr' where id = ${manager.id}`));
    for (const days of [31.5, -8, 2, -6]) {
      await endIn(days);
      await notifyOfEndings(api.app);
    }
    const mails = await takeMails(api.app);
    const of = (user: User) => mails.filter(it => it.to === user.email).map(it => it.subject);
    expect(of(manager)).toEqual(['Otel Mavi lisansının bitmesine 2 gün kaldı', 'Otel Mavi lisansı sona erdi']);
    const english = ['The licence of Otel Mavi ends in 2 days', 'The licence of Otel Mavi has ended'];
    expect([of(reseller), of(admin)]).toEqual([english, english]);
    expect((await notices(admin.token)).map((it: Body) => it.body)).toEqual([
      'Guests can no longer sign in there.',
      'Days left: 2.',
    ]);
    expect(mails[0]!.text).toContain('/onboarding/subscribe');
  });
});
