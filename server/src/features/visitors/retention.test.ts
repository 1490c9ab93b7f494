import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { startVenue, type Venue } from '#features/guests/testing/venue.ts';
import { recordPast } from '#features/sessions/public.ts';
import { newId } from '#lib/ids.ts';
import { guestJobs } from '../guests/guests.jobs.ts';
import { sessionJobs } from '../sessions/sessions.jobs.ts';
import { visitorJobs } from './visitors.jobs.ts';

let venue: Venue;
beforeAll(async () => {
  venue = await startVenue({
    VISITOR_RETENTION_DAYS: '100',
    LOG_RETENTION_DAYS: '300',
    FAILED_LOGIN_RETENTION_DAYS: '30',
  });
}, 120_000);

const get = (at: string) => venue.api.get(at, { token: venue.admin });
const run = async () => {
  await visitorJobs[0]!.run(venue.api.app);
  for (const name of ['erase old failed sign-ins', 'forget old sessions'])
    await sessionJobs.find(job => job.name === name)!.run(venue.api.app);
  await guestJobs[0]!.run(venue.api.app);
};
/** A visitor that was created and changed some days ago. */
async function made(daysAgo: number, more: object = {}) {
  const username = await venue.visitor({ email: 'ayse@example.com', phone: '+905321112233', ...more });
  const id: string = (await get(`panel/client?search=${username}`)).body.data[0].id;
  await venue.run(sql`update visitors set created_at = now() - make_interval(days => ${daysAgo}),
    updated_at = now() - make_interval(days => ${daysAgo}) where id = ${id}`);
  return { id, username };
}
/** Inserts a session that ended some days ago. */
async function visited(id: string, username: string, daysAgo: number) {
  await venue.api.app.db.withSystem(tx =>
    tx.run(sql`
    with s as (insert into session_history (tenant_id, id, accounting_id, location_id, device_id, visitor_id, user_name, acct_session_id,
      client_mac, started_at, ended_at, seconds, upload, download, interim, reopened, day, close_reason)
    select tenant_id, new_id(), decode(md5(${id + String(daysAgo)}), 'hex'), location_id, ${venue.device.id}, id, ${username}, 'x',
      '02:aa:00:00:00:01', now() - make_interval(days => ${daysAgo}), now() - make_interval(days => ${daysAgo}), 60, 1, 2, 300, false,
      now()::date - ${daysAgo}::int, 'stop' from visitors where id = ${id} returning *)
    insert into visitor_days (tenant_id, location_id, day, visitor_id, sessions, upload, download)
    select tenant_id, location_id, day, visitor_id, 1, 1, 2 from s`),
  );
}
const lawRows = (id: string) =>
  venue.rows(sql`select identity->>'username' as username from erased_guests where id = ${id}`);

describe('personal data after its retention period', () => {
  test('is erased from an inactive visitor; sessions and counts stay', async () => {
    const { id, username } = await made(400);
    await visited(id, username, 200);
    const agreed = (mac: string, hours: number) => sql`
      insert into consents (visitor_id, client_mac, version, location_id, language, created_at)
      select id, ${mac}, 'v1', location_id, 'tr', now() - make_interval(days => 400) + make_interval(hours => ${hours})
      from visitors where id = ${id}`;
    await venue.run(
      sql`insert into agreement_versions (version, texts) values ('v1', '{"general": {"tr": "Koşullar"}}')`,
    );
    await venue.run(agreed('02:aa:00:00:00:02', 1));
    await venue.run(agreed('02:aa:00:00:00:01', 0));
    const [first] = (await get(`panel/client/${id}/consents`)).body.data.slice(-1);
    const users = (await get('panel/statistics/overview')).body.data.users;
    await run();
    const { data } = (await get(`panel/client/${id}`)).body;
    expect(data).toMatchObject({
      name: '',
      username: null,
      provider_id: null,
      email: null,
      phone: null,
      password: null,
      sign_in_url: null,
    });
    expect(data.erased_at).toMatch(/^\d{4}-/);
    const [row] = await venue.rows(sql`select * from visitors where id = ${id}`);
    const kept = Object.values(row!).map(String).join(' ');
    for (const word of [username, 'Guest', 'ayse', '+90532']) expect(kept).not.toContain(word);
    expect((await get(`panel/client/${id}/sessions`)).body.meta.total).toBe(1);
    expect((await get(`panel/client/${id}/consents`)).body.data).toEqual([{ ...first, client_mac: null }]);
    expect((await get('panel/statistics/overview')).body.data.users).toBe(users);
    expect((await get(`panel/client?search=${username}`)).body.data).toEqual([]);
    expect(await venue.rows(sql`select 1 from session_history where user_name = ${username}`)).toEqual([]);
    expect(await lawRows(id), 'a visit that the law still asks for').toEqual([{ username }]);

    await venue.run(sql`update erased_guests set erased_at = now() - interval '301 days' where id = ${id}`);
    await run();
    expect(await lawRows(id)).toEqual([]);
  });

  test('is erased wherever it is kept besides the visitor: device, purchases, failed sign-ins and documents', async () => {
    const { id } = await made(400);
    const mac = sql`'02:aa:00:00:00:07'::macaddr`;
    const at = venue.location;
    await venue.run(
      sql`update visitors set birth_date = 'x', citizen_id = 'x', citizen_id_hash = ${Buffer.from('x')} where id = ${id}`,
    );
    await venue.run(sql`insert into remembered_guests (id, location_id, visitor_id, client_mac, token_hash, provider_slug)
      values (gen_random_uuid(), ${at}, ${id}, ${mac}, '', 'username')`);
    await venue.run(sql`insert into failed_logins (location_id, provider_slug, params, typed_hash, reason, visitor_id)
      values (${at}, 'username', 'typed', 'x', 'wrong_credentials', ${id})`);
    await venue.run(sql`insert into purchases (id, location_id, visitor_id, provider, package, days, unit_price, amount, tax, tax_rate,
        currency, email, phone, language, client_mac, code, code_hash)
      values (gen_random_uuid(), ${at}, ${id}, 'test', 'Gün', 1, 1, 1, 0, 0, 'eur', 'ayse@example.com', '+905321112233', 'tr', ${mac}, '', '')`);
    const hotel = newId();
    await venue.run(
      sql`insert into integrations (id, location_id, kind, name, connection) values (${hotel}, ${at}, 'fias', 'Otel', '')`,
    );
    await venue.run(sql`insert into hotel_stays (visitor_id, location_id, integration_id, external_id, reservation, surname)
      values (${id}, ${at}, ${hotel}, '1', '1', 'x')`);
    await run();
    expect(await venue.rows(sql`select 1 from hotel_stays where visitor_id = ${id}`)).toEqual([]);
    expect(
      await venue.rows(sql`
        select v.birth_date, v.citizen_id, v.citizen_id_hash, f.params, f.typed_hash, p.email, p.phone, p.client_mac,
          (select count(*)::int from remembered_guests r where r.visitor_id = v.id) as remembered
        from visitors v join failed_logins f on f.visitor_id = v.id join purchases p on p.visitor_id = v.id where v.id = ${id}`),
    ).toEqual([
      {
        ...{ birth_date: null, citizen_id: null, citizen_id_hash: null, params: null, typed_hash: null },
        ...{ email: null, phone: null, client_mac: null, remembered: 0 },
      },
    ]);
  });

  test('is deleted completely after the legal retention period, but not on its last day', async () => {
    const [old, lastDay, unused] = [await made(900), await made(900), await made(101)];
    await visited(old.id, old.username, 301);
    await visited(lastDay.id, lastDay.username, 299);
    await run();
    expect(await lawRows(lastDay.id)).toEqual([{ username: lastDay.username }]);
    for (const { id } of [old, unused]) {
      expect((await get(`panel/client/${id}`)).body.data.erased_at).not.toBeNull();
      expect(await lawRows(id)).toEqual([]);
    }
  });

  test('stays for visitors who are active, may still come or were changed', async () => {
    const [young, guest, stays, future] = [
      await made(99),
      await made(400),
      await made(400, { session_end_at: new Date(Date.now() - 50 * 86_400_000).toISOString() }),
      await made(400, { session_start_at: new Date(Date.now() + 86_400_000).toISOString() }),
    ];
    await visited(guest.id, guest.username, 99);
    const online = await made(400);
    await venue.newMac();
    const answer = await venue.submit({ username: online.username, password: 'parola 1' });
    const ticket = new URL(answer.headers.get('location')!).searchParams.get('username')!;
    await venue.routerAccepts(ticket);
    await venue.routerStarts(ticket, { uploadBytes: 1, downloadBytes: 2 });
    // The session goes on since days of which nothing is counted any more.
    await venue.api.app.db.withSystem(tx => tx.run(sql`delete from visitor_days where visitor_id = ${online.id}`));
    await run();
    for (const { id, username } of [young, guest, stays, future, online])
      expect((await get(`panel/client/${id}`)).body.data).toMatchObject({ username, erased_at: null });
  });

  test('cannot be entered again: an erased visitor can only be deleted and cannot sign in', async () => {
    const { id, username } = await made(400);
    await run();
    const form = { name: 'New', provider_type: 'username', username: 'anew', password: 'parola 2' };
    const refused = await venue.api.put(`panel/client/${id}`, {
      token: venue.admin,
      body: form,
      headers: { 'accept-language': 'tr' },
    });
    expect([refused.status, refused.body.message]).toEqual([
      409,
      'Bu ziyaretçinin kişisel verileri silinmiş; kayıt yalnızca silinebilir.',
    ]);
    for (const what of ['pause', 'resume', 'extend', 'move']) {
      const body = what === 'extend' ? { days: 1 } : {};
      expect((await venue.api.post(`panel/client/${id}/${what}`, { token: venue.admin, body })).status, what).toBe(409);
    }
    venue.newMac();
    expect((await venue.submit({ username, password: 'parola 1' })).status).toBe(422);
    expect((await venue.api.delete(`panel/client/${id}`, { token: venue.admin })).status).toBe(204);
  });

  test('is shown as erased in the list and its export', async () => {
    const { id } = await made(400);
    await run();
    const row = (await get('panel/client?per_page=1000')).body.data.find((it: { id: string }) => it.id === id);
    expect(row).toMatchObject({ name: '', provider_type: 'username', provider_id: null });
    const file = await venue.api.post('panel/client/export', {
      token: venue.admin,
      body: {},
      headers: { 'accept-language': 'tr' },
    });
    expect(file.text).toContain('\nSilinmiş ziyaretçi,');
  });

  test('of failed sign-ins is deleted in two steps: first the typed values, then the attempt', async () => {
    venue.newMac();
    const username = await venue.visitor();
    for (const days of [101, 99, 31, 29]) {
      await venue.submit({ username, password: 'wrong' });
      await venue.run(sql`update failed_logins set created_at = now() - make_interval(days => ${days})
        where id = (select max(id::text)::uuid from failed_logins)`);
    }
    await run();
    const list = await get(`panel/failed-login?mac=${venue.mac}&start_at=2020-01-01`);
    expect(list.body.data[0].attempts.map((it: { params: object }) => it.params)).toEqual([
      expect.objectContaining({ username }),
      {},
      {},
    ]);
  });

  test('of sessions is deleted with the legal record; their daily counts stay', async () => {
    const { id, username } = await made(400);
    const mac = '02:AA:00:00:0F:01';
    const stop = (daysAgo: number, session: string) => ({
      ...{ deviceId: venue.device.id, username, mac, ip: '10.5.50.9', sessionId: session, seconds: 60 },
      ...{ startedAt: new Date(Date.now() - daysAgo * 86_400_000), upload: 1, download: 2 },
    });
    await recordPast(venue.api.app, await venue.api.tenantId('panel'), [
      stop(320, 'a'),
      stop(310, 'b'),
      // It began before the limit, and ended within it.
      { ...stop(302, 'c'), seconds: 3 * 86_400 },
    ]);
    await venue.api.app.db.withSystem(tx =>
      tx.run(sql`
        insert into session_addresses (tenant_id, session_id, network, first_at, last_at, held)
        select tenant_id, id, '10.5.50.8', started_at, ended_at, tstzmultirange(tstzrange(started_at, ended_at, '[]')) from session_history where client_mac = ${mac}::macaddr`),
    );
    const addresses = () =>
      venue.rows(sql`select h.acct_session_id from session_addresses a left join session_history h on h.id = a.session_id
        where a.network = '10.5.50.8'`);
    expect(await addresses()).toHaveLength(3);
    const visits = async () => (await get('panel/statistics/visits?start_at=2020-01-01')).body.meta.total;
    const history = async () =>
      (await get(`panel/reports/sessions?client_mac=${mac}&session_date=2020-01-01,2099-01-01`)).body.meta.total;
    const before = await visits();
    expect(await history()).toBe(3);
    await run();
    expect(await history()).toBe(1);
    expect(await addresses()).toEqual([{ acct_session_id: 'c' }]);
    expect(await visits()).toBe(before);
    expect((await get(`panel/reports/multiple-sessions?client_mac=${mac}`)).body.data).toMatchObject([{ total: 3 }]);
    await venue.api.app.db.withSystem(tx =>
      tx.run(sql`update session_history set started_at = now() - interval '302 days', ended_at = now() - interval '301 days'
        where client_mac = ${mac}::macaddr`),
    );
    await venue.api.app.db.withSystem(tx =>
      tx.run(
        sql`update guest_devices set session_started_at = now() - interval '302 days' where client_mac = ${mac}::macaddr`,
      ),
    );
    await run();
    expect(await history()).toBe(0);
    expect((await get(`panel/reports/multiple-sessions?client_mac=${mac}`)).body.data).toEqual([]);
    expect(await visits()).toBe(before);
    expect((await get(`panel/client/${id}`)).status).toBe(200);
  });

  test('of surveys: free text is deleted with its visitor, or after a time without one; the counts stay', async () => {
    const idle = await made(400);
    const young = await made(10);
    const portal = `panel/portal/${venue.portal.id}/surveys`;
    const questions = [{ label: { en: 'How was it?' }, answer_type: 'text', type: 'single', answers: [] }];
    const survey = (await venue.api.post(portal, { token: venue.admin, body: { name: 'Stay', questions } })).body.data;
    const answer = (visitor: string | null, daysAgo: number, mac: string) =>
      venue.run(sql`insert into survey_responses (id, survey_id, location_id, device_id, client_mac, visitor_id, language, answers, created_at)
        select new_id(), ${survey.id}, location_id, id, ${mac}, ${visitor}, 'en', ${JSON.stringify({ [survey.questions[0].id]: `words of ${mac}` })}::jsonb,
          now() - make_interval(days => ${daysAgo}) from devices where id = ${venue.device.id}`);
    await answer(idle.id, 400, '02:aa:00:00:0e:01');
    await answer(young.id, 400, '02:aa:00:00:0e:02');
    await answer(null, 101, '02:aa:00:00:0e:03');
    await answer(null, 99, '02:aa:00:00:0e:04');
    await run();
    const left = await venue.rows<{ mac: string }>(
      sql`select client_mac::text as mac from survey_responses where survey_id = ${survey.id} order by 1`,
    );
    expect(left.map(it => it.mac)).toEqual(['02:aa:00:00:0e:02', '02:aa:00:00:0e:04']);
  });
});
