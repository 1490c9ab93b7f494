import sql from 'sql-template-tag';
import { beforeEach, describe, expect, test } from 'vitest';
import { startApi } from '#test/harness.ts';
import { sessionJobs } from './sessions.jobs.ts';
import { answers, startCoaRouter } from './testing/coa-router.ts';
import { makeScene, type Scene } from './testing/scene.ts';

// A command that is answered late on a busy machine is not repeated meanwhile.
const api = await startApi({ COA_TIMEOUT: '30' });
/** Each test has a tenant of its own. */
let slug: string;
let scene: Scene;
let admin: string;
let clerk: string;
let limited: string;
let outsider: string;

let tenants = 0;
beforeEach(async () => {
  slug = `ended-${++tenants}`;
  scene = await makeScene(api.app, await api.tenantId(slug));
  admin = (await api.user('tenant-admin', { tenant: slug })).token;
  const at = { tenant: slug, location: scene.locationId };
  clerk = (await api.user('member', { ...at, permissions: ['view-basic-stats'] })).token;
  limited = (await api.user('member', { ...at, deviceIds: [(await scene.addDevice()).id] })).token;
  outsider = (await api.user('tenant-admin')).token;
  await scene.addVisitor('ada', 'pw');
  await scene.send('start', {});
  await scene.send('start', { session: 's2', mac: 'B0:00:00:00:00:02', ip: '10.5.50.77', user: '' });
});
const get = (at: string) => api.get(at, { token: admin, tenant: slug });

describe('ending selected sessions', () => {
  const path = 'panel/onlines/selected/end';
  const end = (ids: unknown, token = admin) => api.post(path, { token, tenant: slug, body: { ids } });
  const open = async () => (await scene.open()).map(it => it.id);
  const commands = () =>
    scene.inTenant(tx =>
      tx.many<{ session_id: string; state: string }>(sql`select session_id, state from session_commands`),
    );

  test('asks the routers once, skips those that have ended, and leaves one entry per location', async () => {
    const router = await startCoaRouter();
    router.reply = answers.acknowledged;
    await scene.set('devices', scene.device.id, { coa_port: router.port });
    const ids = await open();
    const gone = '00000000-0000-4000-8000-000000000000';
    const done = await end([...ids, ...ids, gone]);
    expect([done.status, done.body.data], done.text).toEqual([200, { told: 2, skipped: 1 }]);
    await expect.poll(async () => (await commands()).map(it => it.state)).toEqual(['acknowledged', 'acknowledged']);
    const { body } = await get('panel/onlines');
    expect(body.data.map((it: { kick: { state: string } }) => it.kick.state)).toEqual(['acknowledged', 'acknowledged']);
    const entries = (await get('panel/audit?subject_type=session&verb=end')).body.data;
    expect(entries).toMatchObject([{ location: { id: scene.locationId }, after: { count: 2 } }]);
  });

  test('leaves commands for as long as their sessions are kept', async () => {
    const router = await startCoaRouter();
    router.reply = answers.acknowledged;
    await scene.set('devices', scene.device.id, { coa_port: router.port });
    await end(await open());
    await expect.poll(async () => (await commands()).map(it => it.state)).toEqual(['acknowledged', 'acknowledged']);
    await scene.send('stop', {});
    const forget = () => sessionJobs.find(it => it.name === 'forget old sessions')!.run(api.app);
    await forget();
    expect(await commands()).toHaveLength(2);
    const others = await open();
    const { LOG_RETENTION_DAYS: days } = api.app.settings;
    // Only the system may change a session.
    await api.app.db.withSystem(tx =>
      tx.run(sql`
        update session_history set started_at = started_at - make_interval(days => ${days + 1}), ended_at = ended_at - make_interval(days => ${days + 1})
        where location_id = ${scene.locationId}`),
    );
    await forget();
    expect((await commands()).map(it => it.session_id)).toEqual(others);
  });

  test('does not ask again while a router is being asked', async () => {
    const [first] = await open();
    await scene.inTenant(tx =>
      tx.run(sql`insert into session_commands (session_id, location_id, device_id, reason, sent_at)
        select s.id, s.location_id, s.device_id, 'operator', now() from online_sessions s where s.id = ${first}`),
    );
    expect((await end([first])).body.data).toEqual({ told: 0, skipped: 1 });
    expect(await commands()).toHaveLength(1);
  });

  test('is refused to those who may not, and leaves everything as it is', async () => {
    const ids = await open();
    expect((await end(ids, clerk)).status).toBe(403);
    for (const token of [limited, outsider]) {
      const refused = await api.post(path, { token, ...(token === limited && { tenant: slug }), body: { ids } });
      expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['ids']]);
    }
    const [first] = ids;
    for (const odd of [[], ['x'], first, Array(1001).fill(first)]) {
      const wrong = await end(odd);
      expect([wrong.status, Object.keys(wrong.body.errors)[0]?.split('.')[0]]).toEqual([422, 'ids']);
    }
    expect(await commands()).toEqual([]);
  });
});
