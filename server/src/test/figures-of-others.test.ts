import sql from 'sql-template-tag';
import { beforeAll, expect, test } from 'vitest';
import { recordPast } from '#features/sessions/public.ts';
import { newId } from '#lib/ids.ts';
import { type Body, startApi, type TestApi } from './harness.ts';

/** Figures have no names, so the walk, which looks for names, can't tell whose they are. */

let api: TestApi;
let admin: string;
/** A member of another location, and one who is limited to another device of the location. */
let neighbour: string;
let limited: string;
let portal: string;
let survey: Body;

beforeAll(async () => {
  api = await startApi();
  admin = (await api.user('tenant-admin')).token;
  const made = async (at: string, body: object): Promise<Body> => {
    const answer = await api.post(at, { token: admin, body });
    expect(answer.status, answer.text).toBe(201);
    return answer.body.data;
  };
  const [hotel, cafe] = [await api.location(admin, 'Otel'), await api.location(admin, 'Kafe')];
  const [brand] = (await api.get('panel/device/brands', { token: admin })).body.data;
  const router = (name: string, n: number) =>
    made('panel/device', { location_id: hotel, brand_id: brand.id, name, mac_address: `A1:B2:C3:D4:E5:0${n}` });
  const [{ id: lobby }, { id: pool }] = [await router('Lobi', 1), await router('Havuz', 2)];
  neighbour = (await api.user('member', { location: cafe })).token;
  limited = (await api.user('member', { location: hotel, deviceIds: [pool] })).token;
  await made('panel/client', {
    ...{ location_id: hotel, name: 'Ayşe', provider_type: 'username', username: 'ayse', password: 'secret1' },
  });
  await made('panel/voucher-batch', {
    ...{ location_id: hotel, name: 'Günlük', count: 1, valid_for: { is_active: true, option: 'day', value: 1 } },
  });
  const visit = {
    deviceId: lobby,
    username: 'ayse',
    mac: 'A1:B2:C3:00:00:01',
    ip: '10.5.50.9',
    upload: 1,
    download: 2,
  };
  const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000);
  const tenant = await api.tenantId('panel');
  await recordPast(api.app, tenant, [
    { ...visit, sessionId: 'a', startedAt: ago(2), seconds: 60 },
    { ...visit, sessionId: 'b', startedAt: ago(26), seconds: 60 },
  ]);
  await api.inTenant(tx =>
    tx.run(sql`
      with guest as (update visitors set device_id = ${lobby} returning id)
      insert into sales (id, location_id, visitor_id, days, unit_price, currency, total, sold_on)
      select ${newId()}, ${hotel}, id, 2, 5, 'eur', 10, current_date from guest`),
  );
  const start = {
    ...{ tenant, device: lobby, status: 'start', session: 'now', user_name: 'ayse', mac: visit.mac, ip: visit.ip },
    ...{ at: new Date(), seconds: 0, upload: 0, download: 0 },
  };
  await api.app.db.withSystem(tx => tx.run(sql`select account(${JSON.stringify([start])}::jsonb)`));
  await api.inTenant(tx =>
    tx.run(sql`update devices set last_seen_at = now() - interval '2 hours' where id = ${lobby}`),
  );

  portal = (await made('panel/portal', { name: 'Karşılama', location_id: hotel })).id;
  survey = await made(`panel/portal/${portal}/surveys`, {
    name: 'Kalış',
    questions: [
      {
        label: { tr: 'Kaç?' },
        answer_type: 'text',
        type: 'single',
        answers: Array.from({ length: 11 }, (_, n) => ({ label: { tr: String(n) } })),
      },
      { label: { tr: 'Başka?' }, answer_type: 'text', type: 'single', answers: [] },
    ],
  });
  const ad = await made(`panel/portal/${portal}/ads`, {
    ...{ name: 'Çay', type: 'embed', embed_code: '<iframe src="https://example.com/"></iframe>' },
  });
  const [score, words] = survey['questions'];
  const at = sql`${hotel}, ${lobby}`;
  const today = sql`local_day('Europe/Istanbul')`;
  const answers = { [score.id]: [score.answers[9].id], [words.id]: 'Yalnızca lobide' };
  await api.inTenant(async tx => {
    await tx.run(sql`insert into failed_logins (location_id, device_id, provider_slug, reason)
      select ${hotel}, ${lobby}, 'username', 'wrong_credentials' from generate_series(1, 20)`);
    await tx.run(sql`insert into guest_agent_days (location_id, device_id, day, kind, value, sign_ins)
      select ${at}, ${today}, kind, 'Lobi', 7 from unnest(array['platform', 'browser', 'device']) kind`);
    await tx.run(sql`insert into survey_days (survey_id, day, location_id, device_id, shown, answered, skipped)
      values (${survey['id']}, ${today}, ${at}, 7, 7, 7)`);
    await tx.run(sql`insert into survey_counts (survey_id, question_id, answer_id, location_id, device_id, count)
      values (${survey['id']}, ${score.id}, ${score.answers[9].id}, ${at}, 7)`);
    await tx.run(sql`insert into survey_scores (survey_id, question_id, day, location_id, device_id, promoters, passives, detractors)
      values (${survey['id']}, ${score.id}, ${today}, ${at}, 7, 7, 7)`);
    await tx.run(sql`insert into survey_responses (id, survey_id, location_id, device_id, client_mac, language, answers)
      values (${newId()}, ${survey['id']}, ${at}, ${visit.mac}::macaddr, 'tr', ${JSON.stringify(answers)}::jsonb)`);
    await tx.run(sql`insert into ad_days (ad_id, day, location_id, device_id, views, clicks)
      values (${ad['id']}, ${today}, ${at}, 7, 7)`);
    await tx.run(sql`insert into integrations (id, location_id, kind, name, connection, problem)
      values (${newId()}, ${hotel}, 'webhook', 'Kanca', '', 'unreachable')`);
  });
});

const read = async (at: string, token: string): Promise<Body> => {
  const answer = await api.get(`panel/${at}`, { token });
  expect(answer.status, `${at}: ${answer.text}`).toBe(200);
  return answer.body ?? answer.text;
};
const sum = (of: number[]): number => of.reduce((all, n) => all + n, 0);

test('the overview counts what each may see', async () => {
  const counts = async (token: string) => (await read('statistics/overview', token)).data;
  expect(await counts(admin)).toMatchObject({
    ...{ onlines: 1, failed_logins: 20, returned_users: 1, devices: 2, users: 1, locations: 2, integrations: 1 },
  });
  expect(await counts(neighbour)).toMatchObject({
    ...{ onlines: 0, failed_logins: 0, returned_users: 0, devices: 0, users: 0, locations: 1, integrations: 0 },
  });
  expect(await counts(limited)).toMatchObject({
    ...{ onlines: 0, failed_logins: 0, returned_users: 0, devices: 1, locations: 1 },
  });
});

test.for(['platforms', 'browsers', 'devices'])('%s of sign-ins are those of devices that each may see', async what => {
  const labels = async (token: string) => (await read(`statistics/${what}`, token)).data.labels;
  expect(await labels(admin)).toEqual(['Lobi']);
  expect([await labels(neighbour), await labels(limited)]).toEqual([[], []]);
});

test('visits of the last day are those of devices that each may see or has chosen', async () => {
  const visits = async (token: string, query = '') => {
    const { values, yesterday } = (await read(`statistics/last-day${query}`, token)).data;
    return [sum(values) > 0, sum(yesterday) > 0];
  };
  expect(await visits(admin)).toEqual([true, true]);
  expect(await visits(neighbour)).toEqual([false, false]);
  expect(await visits(limited)).toEqual([false, false]);
  const devices = (await read('device', admin)).data as Body[];
  const chosen = (name: string) => `?deviceIds=${devices.find(it => it['name'] === name)!['id']}`;
  expect(await visits(admin, chosen('Lobi'))).toEqual([true, true]);
  expect(await visits(admin, chosen('Havuz'))).toEqual([false, false]);
});

test('the steps of the set-up are those of the own location', async () => {
  const steps = async (token: string) => (await read('statistics/setup', token)).data;
  expect(await steps(admin)).toMatchObject({ location: true, connected: true, visitor: true, online: true });
  expect(await steps(neighbour)).toMatchObject({
    ...{ location: true, device: null, connected: false, visitor: false, online: false },
  });
});

test('the health of a location is that of devices that each may see', async () => {
  const health = async (token: string) => (await read('statistics/locations', token)).data;
  expect(await health(admin)).toEqual(
    expect.arrayContaining([expect.objectContaining({ devices: 2, offline: 1, waiting: 1, onlines: 1 })]),
  );
  expect(await health(neighbour)).toMatchObject([{ location: { name: 'Kafe' }, devices: 0, onlines: 0 }]);
  expect(await health(limited)).toMatchObject([{ devices: 1, offline: 0, waiting: 1, onlines: 0 }]);
});

test('problems are those that each may see', async () => {
  const kinds = async (token: string) => (await read('statistics/problems', token)).data.map((it: Body) => it['kind']);
  expect(await kinds(admin)).toEqual(expect.arrayContaining(['failed_logins', 'integration']));
  expect(await kinds(neighbour)).toEqual([]);
  expect(await kinds(limited)).not.toContain('failed_logins');
});

test('the results of a survey are those of devices that each may see', async () => {
  const at = `portal/${portal}/surveys/${survey['id']}`;
  const question = survey['questions'][1].id as string;
  const found = async (token: string) => {
    const results = (await read(`${at}/results`, token)).data;
    return {
      numbers: JSON.stringify(results).match(/:7\b/g)?.length ?? 0,
      texts: (await read(`${at}/texts?question=${question}`, token)).data.length,
      file: JSON.stringify(await read(`${at}/export`, token)).includes('Yalnızca lobide'),
    };
  };
  const all = await found(admin);
  expect(all).toMatchObject({ texts: 1, file: true });
  // Shown, answered and skipped; by day and by week; an answer; promoters, passives and detractors.
  expect(all.numbers).toBeGreaterThanOrEqual(11);
  expect(await found(limited)).toEqual({ numbers: 0, texts: 0, file: false });
});

test('the results of advertisements are those of devices that each may see', async () => {
  const found = async (token: string) => {
    const { data } = await read(`portal/${portal}/ads/results`, token);
    const file = JSON.stringify(await read(`portal/${portal}/ads/export`, token));
    return [data[0].views, data[0].clicks, sum(data[0].days.map((it: Body) => it['views'])), file.includes('Çay')];
  };
  expect(await found(admin)).toEqual([7, 7, 7, true]);
  expect(await found(limited)).toEqual([0, 0, 0, false]);
});

test('sales are those to visitors whom each may see', async () => {
  const sold = async (token: string) => (await read('reports/sales', token)).data.length;
  expect([await sold(admin), await sold(neighbour), await sold(limited)]).toEqual([1, 0, 0]);
});
