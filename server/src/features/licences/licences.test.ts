import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { takeMails } from '#mail/testing.ts';
import { startApi, type TestApi } from '#test/harness.ts';
import { notifyOfEndings } from './licences.jobs.ts';

let api: TestApi;
let admin: { email: string; token: string };
let reseller: { email: string; token: string };
let manager: { email: string; token: string };
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
    const end = sql`now() + make_interval(days => ${days}) - interval '1 minute'`;
    if (what === 'trial_end_at')
      await tx.run(sql`update locations set license_end_at = null, trial_end_at = ${end} where id = ${location}`);
    else
      await tx.run(
        sql`update locations set trial_end_at = now() - interval '300 days', license_end_at = ${end} where id = ${location}`,
      );
  });

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
});
