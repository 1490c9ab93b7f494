import sql from 'sql-template-tag';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { startApi, type TestApi } from '#test/harness.ts';
import { createApi } from '../services/api.ts';
import { jobs, runJob } from '../services/jobs.ts';
import { type ActorRow, actorOf } from './actor.ts';
import { once } from './idempotency.ts';

let api: TestApi;
let token: string;
beforeAll(async () => {
  api = await startApi();
  token = (await api.user('tenant-admin')).token;
});

let keys = 0;
const newKey = () => `key-${++keys}`;
const create = (key: string, body: unknown, as = token) =>
  api.post('panel/location', { token: as, body, headers: { 'idempotency-key': key } });
const count = async (name: string): Promise<number> =>
  (await api.inTenant(tx => tx.one<{ n: number }>(sql`select count(*)::int as n from locations where name = ${name}`)))
    .n;

describe('a POST with an Idempotency-Key', () => {
  test('that is repeated gets the first answer and makes nothing twice', async () => {
    const key = newKey();
    const first = await create(key, { name: 'Once' });
    const again = await create(key, { name: 'Once' });
    expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([201, null]);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    expect(again.text).toBe(first.text);
    expect(await count('Once')).toBe(1);
  });

  test('that is sent ten times at once, to two processes, is done once', async () => {
    const other = await createApi(api.app);
    await other.listen({ port: 0, host: '127.0.0.1' });
    const port = (other.server.address() as { port: number }).port;
    const key = newKey();
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': key };
    const calls = Array.from({ length: 10 }, (_, i) =>
      fetch(`${i % 2 ? api.url : `http://127.0.0.1:${port}`}/v1/panel/location`, {
        ...{ method: 'POST', headers: { ...headers, 'x-tenant': 'panel' }, body: '{"name":"Ten"}' },
      }).then(async answer => [answer.status, await answer.text()]),
    );
    const answers = await Promise.all(calls);
    await other.close();
    expect(new Set(answers.map(String)).size).toBe(1);
    expect(answers[0]![0]).toBe(201);
    expect(await count('Ten')).toBe(1);
  });

  test('and another body or path is refused', async () => {
    const key = newKey();
    await create(key, { name: 'First body' });
    const other = await api.post('panel/location', {
      ...{ token, body: { name: 'Other body' }, language: 'tr', headers: { 'idempotency-key': key } },
    });
    expect([other.status, other.body.code]).toEqual([422, 'key_reused']);
    expect(other.body.message).toBe('Bu Idempotency-Key başka bir istekte kullanıldı. Yenisini kullanın.');
    const path = await api.post('panel/user/team/change/all', { token, headers: { 'idempotency-key': key } });
    expect(path.body.code).toBe('key_reused');
    expect(await count('Other body')).toBe(0);
  });

  test('is the same with its keys in another order, also inside, and another with a list in another order', async () => {
    const key = newKey();
    const body = (text: string) => create(key, text);
    const first = await body('{"name": "Sıra", "city": "Muğla", "available_providers": ["sms", "username"]}');
    const again = await body('{"available_providers":["sms","username"],"city":"Mu\\u011fla","name":"Sıra"}');
    expect([first.status, again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 201, 'true']);
    expect(again.text).toBe(first.text);
    expect(await count('Sıra')).toBe(1);
    const other = await body('{"name": "Sıra", "city": "Muğla", "available_providers": ["username", "sms"]}');
    expect(other.body.code).toBe('key_reused');

    const nested = newKey();
    const profile = (text: string) =>
      api.post('panel/location/user-profile', { token, body: text, headers: { 'idempotency-key': nested } });
    const location_id = first.body.data.id;
    const made = await profile(
      `{"location_id": "${location_id}", "name": "Hızlı", "max_upload": {"is_active": true, "option": "mbps", "value": 5}}`,
    );
    const same = await profile(
      `{"name": "Hızlı", "max_upload": {"value": 5, "option": "mbps", "is_active": true}, "location_id": "${location_id}"}`,
    );
    expect([made.status, same.status, same.text]).toEqual([201, 201, made.text]);
  });

  test('that was refused may be sent again with the same key', async () => {
    const key = newKey();
    expect((await create(key, { name: '' })).status).toBe(422);
    expect((await create(key, { name: 'Second try' })).status).toBe(201);
  });

  test('of another user is another one', async () => {
    const key = newKey();
    await create(key, { name: 'Mine' });
    const theirs = await create(key, { name: 'Theirs' }, (await api.user('tenant-admin')).token);
    expect([theirs.status, theirs.headers.get('idempotency-replayed')]).toEqual([201, null]);
  });

  test('that is too long is refused with the name of the header', async () => {
    const answer = await create('x'.repeat(65), { name: 'Long' });
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['Idempotency-Key']]);
  });

  test('is kept encrypted for a day, and then forgotten', async () => {
    const key = newKey();
    await create(key, { name: 'A day' });
    const stored = await api.inTenant(tx =>
      tx.one<{ reply: string }>(sql`select reply from idempotent_replies where key = ${key}`),
    );
    expect(stored.reply).not.toContain('A day');
    await api.inTenant(tx =>
      tx.run(sql`update idempotent_replies set created_at = now() - interval '25 hours' where key = ${key}`),
    );
    const later = await create(key, { name: 'A day' });
    expect([later.status, later.headers.get('idempotency-replayed')]).toEqual([201, null]);
    await api.inTenant(tx => tx.run(sql`update idempotent_replies set created_at = now() - interval '25 hours'`));
    await runJob(api.app, jobs.find(job => job.name === 'delete old idempotent replies')!);
    expect(await api.inTenant(tx => tx.many(sql`select 1 from idempotent_replies`))).toEqual([]);
  });
});

const adminRow = (userId: string): ActorRow => ({
  ...{ tenant_id: '', user_id: userId, token_id: '', role: 'tenant-admin', active_location_id: null },
  ...{ time_zone: null, tenant_time_zone: 'UTC' },
  memberships: [],
});

describe('an answer that is asked for again', () => {
  const bulk = (as: string, locationId: string, key: string) =>
    api.post('panel/client/bulk', {
      ...{ token: as, headers: { 'idempotency-key': key } },
      body: { location_id: locationId, name: 'Misafir', provider_type: 'username', total_user: 2 },
    });
  const visitors = async () =>
    (await api.inTenant(tx => tx.one<{ n: number }>(sql`select count(*)::int as n from visitors`))).n;
  const be = (id: string, role: string) =>
    api.inTenant(tx => tx.run(sql`update users set role = ${role} where id = ${id}`));
  const join = (id: string, at: string, permissions: readonly string[], deviceIds: readonly string[] | null = null) =>
    api.inTenant(async tx => {
      await tx.run(sql`insert into location_members (location_id, user_id, permissions, device_ids)
        values (${at}, ${id}, ${permissions}, ${deviceIds})
        on conflict (tenant_id, location_id, user_id) do update set permissions = excluded.permissions, device_ids = excluded.device_ids`);
      await tx.run(sql`update users set active_location_id = ${at} where id = ${id}`);
    });
  const needed = ['store-clients', 'view-clients'] as const;

  test.each(['en', 'tr'] as const)('is refused to a demoted administrator who works elsewhere (%s)', async language => {
    const [there, here] = [await api.location(token, 'Orada'), await api.location(token, 'Burada')];
    const user = await api.user('tenant-admin');
    const key = newKey();
    const first = await bulk(user.token, there, key);
    expect(first.status, first.text).toBe(201);
    const before = await visitors();
    await be(user.id, 'member');
    await join(user.id, here, needed);
    const again = await api.post('panel/client/bulk', {
      ...{ token: user.token, language, headers: { 'idempotency-key': key } },
      body: { location_id: there, name: 'Misafir', provider_type: 'username', total_user: 2 },
    });
    expect([again.status, again.body.code, again.headers.get('idempotency-replayed')]).toEqual([
      403,
      'not_allowed',
      null,
    ]);
    expect(again.body.message).toBe(
      language === 'en' ? 'You are not allowed to do this.' : 'Bunu yapmaya yetkiniz yok.',
    );
    expect(again.text).not.toContain('password');
    // The key keeps its answer, for the administrator that the user may be again.
    await be(user.id, 'tenant-admin');
    expect((await bulk(user.token, there, key)).text).toBe(first.text);
    expect(await visitors()).toBe(before);
  });

  test('is refused to a demoted administrator, also if the request names no location', async () => {
    const [there, here] = [await api.location(token, 'Uzakta'), await api.location(token, 'Yakında')];
    const { id, token: as } = await api.user('tenant-admin');
    const visitor = await api.post('panel/client', {
      token: as,
      body: {
        ...{ name: 'Ayşe', provider_type: 'username', username: 'uzak', password: 'parola 1', location_id: there },
        session_end_at: '2099-01-01T00:00:00Z',
      },
    });
    const headers = { 'idempotency-key': newKey() };
    const extend = () =>
      api.post(`panel/client/${visitor.body.data.id}/extend`, { token: as, headers, body: { days: 1 } });
    const first = await extend();
    expect(first.status, first.text).toBe(200);
    await be(id, 'member');
    await join(id, here, ['view-clients', 'update-clients']);
    expect((await extend()).status).toBe(403);
  });

  test('is refused to a member that left the team, lost a permission or is limited to some devices', async () => {
    const [there, here] = [await api.location(token, 'Takım'), await api.location(token, 'Öbür takım')];
    const { id, token: as } = await api.user('member', { location: there, permissions: needed });
    const key = newKey();
    const first = await bulk(as, there, key);
    expect(first.status, first.text).toBe(201);
    const statusOf = async () => (await bulk(as, there, key)).status;
    await join(id, here, needed);
    expect(await statusOf(), 'in another team as well').toBe(201);
    await join(id, there, [...needed, 'update-clients']);
    expect(await statusOf(), 'with one more permission').toBe(201);
    await join(id, there, ['store-clients']);
    expect(await statusOf(), 'with one permission less').toBe(403);
    await join(id, there, needed, ['01a1fa3e-cdf1-703d-ad31-9b554b6d0ac9']);
    expect(await statusOf(), 'limited to a device').toBe(403);
    await join(id, here, needed);
    await api.inTenant(tx =>
      tx.run(sql`delete from location_members where location_id = ${there} and user_id = ${id}`),
    );
    expect(await statusOf(), 'no more in the team').toBe(403);
  });

  test('is refused to a reseller whose customer was handed over', async () => {
    const { id, token: as } = await api.user('reseller');
    const theirs = await api.location(as, 'Müşteri');
    const key = newKey();
    expect((await bulk(as, theirs, key)).status).toBe(201);
    expect((await bulk(as, theirs, key)).headers.get('idempotency-replayed')).toBe('true');
    await api.inTenant(tx => tx.run(sql`update locations set owner_id = null where owner_id = ${id}`));
    expect((await bulk(as, theirs, key)).status).toBe(403);
  });

  test.each(['en', 'tr'] as const)(
    'is refused to a reseller whose customer was handed over, also if the request names no location (%s)',
    async language => {
      const [before, after] = [await api.user('reseller'), await api.user('reseller')];
      const customer = await api.location(before.token, 'Devredilen');
      const made = await api.post('panel/client', {
        token: before.token,
        body: {
          ...{ name: 'Ayşe', provider_type: 'username', username: `d-${language}`, password: 'parola 1' },
          ...{ location_id: customer, session_end_at: '2099-01-01T00:00:00Z' },
        },
      });
      const headers = { 'idempotency-key': newKey() };
      const at = `panel/client/${made.body.data.id}/extend`;
      const extend = () => api.post(at, { token: before.token, language, headers, body: { days: 1 } });
      const first = await extend();
      expect(first.status, first.text).toBe(200);
      expect((await extend()).headers.get('idempotency-replayed')).toBe('true');
      const given = { token, body: { email: after.email } };
      expect((await api.post(`panel/location/${customer}/hand-over`, given)).status).toBe(204);
      const again = await extend();
      expect([again.status, again.body.message]).toEqual([
        403,
        language === 'en' ? 'You are not allowed to do this.' : 'Bunu yapmaya yetkiniz yok.',
      ]);
      expect(again.text).not.toContain('Ayşe');
      // Later requests of the reseller are its own again.
      const [own, key] = [await api.location(before.token, 'Yeni'), newKey()];
      expect((await bulk(before.token, own, key)).status).toBe(201);
      expect((await bulk(before.token, own, key)).headers.get('idempotency-replayed')).toBe('true');
    },
  );
});

describe('a request that fails', () => {
  /** Sends a request twice whose handler throws; answers what both get, and how often it ran. */
  const failTwice = async (commits: boolean) => {
    let runs = 0;
    const context = {
      app: api.app,
      inTenant: api.inTenant,
      request: { url: '/v1/x' },
      reply: { header: () => undefined },
    };
    const actor = actorOf(adminRow((await api.user('tenant-admin')).id), null);
    const request = { key: newKey(), fields: {}, file: undefined, mayHave: () => true };
    const send = () =>
      once(context, actor, request, async inTenant => {
        runs++;
        if (commits) await inTenant(tx => tx.many(sql`select pg_current_xact_id()`));
        throw new Error('it fails');
      }).catch((error: Error) => error.message);
    return [await send(), await send(), runs];
  };

  test('after it committed something is not done again', async () => {
    expect(await failTwice(true)).toEqual(['it fails', 'answer_lost', 1]);
  });

  test('before it committed anything frees its key', async () => {
    expect(await failTwice(false)).toEqual(['it fails', 'it fails', 2]);
  });
});

test('a request that takes longer than a minute keeps its key while its process is alive', async () => {
  const context = {
    app: api.app,
    inTenant: api.inTenant,
    request: { url: '/v1/x' },
    reply: { header: () => undefined },
  };
  const actor = actorOf(adminRow((await api.user('tenant-admin')).id), null);
  const request = { key: newKey(), fields: {}, file: undefined, mayHave: () => true, aliveMs: 20 };
  let runs = 0;
  const finish = Promise.withResolvers<void>();
  const send = () =>
    once(context, actor, request, async () => {
      runs++;
      await finish.promise;
      return { status: 201, text: 'done' };
    });
  const first = send();
  const begun = () =>
    api.inTenant(tx =>
      tx.maybe<{ old: boolean }>(
        sql`select begun_at < now() - interval '1 minute' as old from idempotent_replies where key = ${request.key}`,
      ),
    );
  await expect.poll(begun).toBeDefined();
  await api.inTenant(tx =>
    tx.run(sql`update idempotent_replies set begun_at = now() - interval '2 minutes' where key = ${request.key}`),
  );
  await expect.poll(begun).toEqual({ old: false });
  const second = send();
  finish.resolve();
  expect(await Promise.all([first, second])).toEqual([
    { status: 201, text: 'done' },
    { status: 201, text: 'done' },
  ]);
  expect(runs).toBe(1);
});

describe('a request whose process died', () => {
  /** Leaves a row as a process does that did not answer its request. */
  const leave = (key: string, minutes: number) =>
    api.inTenant(tx =>
      tx.run(sql`update idempotent_replies set status = null, reply = null, begun_at = now() - make_interval(mins => ${minutes})
        where key = ${key}`),
    );

  test('is done again, after a minute, if it committed nothing', async () => {
    const key = newKey();
    await create(key, { name: 'Died before' });
    await api.inTenant(tx => tx.run(sql`delete from locations where name = 'Died before'`));
    await api.inTenant(tx => tx.run(sql`delete from idempotent_work where key = ${key}`));
    await leave(key, 2);
    const again = await create(key, { name: 'Died before' });
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, null]);
    expect(await count('Died before')).toBe(1);
    expect((await create(key, { name: 'Died before' })).text).toBe(again.text);
  });

  test('is done again at once if the process is known to be gone, and not while it lives', async () => {
    const key = newKey();
    await create(key, { name: 'Gone' });
    await api.inTenant(tx => tx.run(sql`delete from locations where name = 'Gone'`));
    await api.inTenant(tx => tx.run(sql`delete from idempotent_work where key = ${key}`));
    await leave(key, 0);
    // Another process that lives: it is connected, and holds the lock of its number.
    const other = await api.app.db.pool.connect();
    await other.query(`select pg_advisory_lock(hashtext('portico process'), 7)`);
    await api.inTenant(tx => tx.run(sql`update idempotent_replies set process = 7 where key = ${key}`));
    let answered = false;
    const repeated = create(key, { name: 'Gone' }).finally(() => {
      answered = true;
    });
    // Each look at the key takes three transactions, so it is looked at several times.
    const transactions = vi.spyOn(api.app.db, 'withTenant');
    onTestFinished(() => transactions.mockRestore());
    await expect.poll(() => answered || transactions.mock.calls.length >= 12).toBe(true);
    expect([answered, await count('Gone')]).toEqual([false, 0]);
    other.release(true);
    expect((await repeated).status).toBe(201);
    expect(await count('Gone')).toBe(1);
  });

  test('is never done again if it committed something', async () => {
    const key = newKey();
    await create(key, { name: 'Died after' });
    await leave(key, 2);
    const again = await create(key, { name: 'Died after' });
    expect([again.status, again.body.code]).toEqual([409, 'answer_lost']);
    expect(await count('Died after')).toBe(1);
  });

  test('and which goes on after another one has its key commits nothing', async () => {
    const id = await api.location(token, 'Slow');
    const key = newKey();
    const license = () =>
      api.post(`panel/location/${id}/license`, { token, body: { year: 1 }, headers: { 'idempotency-key': key } });
    let answers: Promise<{ status: number }[]> | undefined;
    await api.inTenant(async tx => {
      await tx.run(sql`select 1 from locations where id = ${id} for update`);
      const first = license();
      await expect
        .poll(() => api.inTenant(other => other.maybe(sql`select 1 from idempotent_replies where key = ${key}`)))
        .toBeTruthy();
      await leave(key, 2);
      const second = license();
      await expect
        .poll(() =>
          api.inTenant(other => other.maybe(sql`select 1 from idempotent_replies where key = ${key} and attempt = 2`)),
        )
        .toBeTruthy();
      answers = Promise.all([first, second]);
    });
    expect((await answers!).map(it => it.status).sort()).toEqual([200, 409]);
    const { license_remain } = (await api.get(`panel/location/${id}`, { token })).body.data;
    expect(license_remain).toBeLessThan(367);
  });
});

test('OpenAPI names the header at every POST of a signed-in caller', async () => {
  const { paths, components } = (await api.get('/v1/openapi.json')).body;
  const reference = { $ref: '#/components/parameters/IdempotencyKey' };
  expect(paths['/v1/panel/location'].post.parameters).toContainEqual(reference);
  expect(paths['/v1/user/login'].post.parameters).not.toContainEqual(reference);
  expect(components.parameters.IdempotencyKey.schema.maxLength).toBe(64);
});
