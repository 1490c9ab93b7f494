import sql from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import { at, connection, mac, openCommandVenue, shown } from './testing/command-venue.ts';

const { api, token, device, commands, latest, start, connected, block, send, pass } = await openCommandVenue();

describe('router commands', () => {
  test('are sent once if queued twice, and a newer one replaces an older one', async () => {
    const router = await start();
    const id = await connected(router);
    for (const way of ['disableHotspot', 'disableHotspot', 'enableHotspot', 'disableHotspot'])
      await api.patch(at(id, `/management/${way}`), { token });
    expect((await commands(id)).map(it => [it.action, it.state])).toEqual([
      ['hotspot-off', 'queued'],
      ['hotspot-on', 'replaced'],
      ['hotspot-off', 'replaced'],
    ]);
    const rule = await block(id, mac);
    await api.delete(at(id, `/macs/${rule}`), { token });
    await block(id, mac, 'bypassed');
    await Promise.all([send(), send(), send()]);
    expect(shown(router)).toEqual([{ mac, type: 'bypassed', address: undefined, disabled: 'true' }]);
    const states = (await commands(id)).map(it => it.state);
    expect(states.filter(state => state === 'done')).toHaveLength(2);
    expect(states.filter(state => state === 'replaced')).toHaveLength(4);
    expect((await commands(id)).every(it => it.attempts <= 1)).toBe(true);
  });

  test('replace what a process of 0.5.0, which takes another lock, queues at the same moment', async () => {
    const id = await connected(await start());
    let asked: ReturnType<typeof api.patch> | undefined;
    await api.inTenant(async tx => {
      await tx.run(sql`
        insert into router_commands (id, location_id, device_id, key, action, command)
        select new_id(), location_id, id, 'hotspot', 'hotspot-on', '{"kind": "hotspot", "open": true}' from devices where id = ${id}`);
      asked = api.patch(at(id, '/management/disableHotspot'), { token });
      const waiting = `
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%router_commands%'`;
      await expect.poll(async () => (await api.app.db.pool.query(waiting)).rowCount).toBe(1);
    });
    expect((await asked)!.status).toBe(200);
    expect((await commands(id)).map(it => [it.action, it.state])).toEqual([
      ['hotspot-off', 'queued'],
      ['hotspot-on', 'replaced'],
    ]);
  });

  test('are those of the last rules if two rules of a guest device are deleted at the same moment', async () => {
    const id = await connected(await start());
    const rules = [await block(id, mac), await block(id, mac, 'bypassed')];
    let asked: ReturnType<typeof api.delete>[] = [];
    await api.inTenant(async tx => {
      // Keeps both calls waiting before they queue their commands.
      await tx.run(sql`select pg_advisory_xact_lock(lock_key('router-commands', ${id}))`);
      asked = rules.map(rule => api.delete(at(id, `/macs/${rule}`), { token }));
      const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await expect.poll(async () => (await api.app.db.pool.query(waiting)).rowCount).toBe(2);
    });
    expect((await Promise.all(asked)).map(it => it.status)).toEqual([204, 204]);
    expect(await latest(id)).toMatchObject({ action: 'release', mac, state: 'queued' });
  });

  test('apply to the networks of their rule; a block overrides an allow rule', async () => {
    const router = await start();
    const id = await connected(router);
    const network = async (start_ip: string): Promise<string> =>
      (await api.post(at(id, '/network'), { token, body: { name: start_ip, start_ip, subnet: '24' } })).body.data.id;
    const [one, two] = [await network('10.5.50.0'), await network('10.5.51.0')];
    await block(id, mac, 'bypassed', [one]);
    await block(id, mac, 'blocked', [two]);
    await send();
    expect(shown(router).map(it => [it.type, it.address])).toEqual([
      ['blocked', '10.5.51.0/24'],
      ['bypassed', '10.5.50.0/24'],
    ]);
    await api.put(at(id, `/network/${one}`), { token, body: { name: 'x', start_ip: '10.9.0.0', subnet: '16' } });
    await api.delete(at(id, `/network/${two}`), { token });
    await send();
    expect(shown(router).map(it => [it.type, it.address])).toEqual([['bypassed', '10.9.0.0/16']]);
    await block(id, mac, 'blocked');
    await send();
    expect(shown(router).map(it => [it.type, it.address])).toEqual([['blocked', undefined]]);
  });

  test('survive an unreachable router and a crashed sender', async () => {
    // The port of a router that was closed may be given to another program.
    const id = await device({ connection: connection(await start(), 'rest', { port: 9 }) });
    await block(id, mac);
    await send();
    const [first] = await commands(id);
    expect(first).toMatchObject({ state: 'queued', attempts: 1 });
    expect(first.words).toContain('ECONNREFUSED');
    await send();
    expect((await latest(id)).attempts).toBe(1);
    const pauses: number[] = [];
    for (let i = 0; i < 4; i += 1) {
      const { next_at, answered_at } = await latest(id);
      pauses.push(Math.round((Date.parse(next_at) - Date.parse(answered_at)) / 1000));
      await pass(id);
      await send();
    }
    expect(pauses).toEqual([5, 15, 60, 300]);
    // A sender claimed the command and crashed.
    const back = await start();
    await api.put(at(id), { token, body: { connection: connection(back, 'rest') } });
    await api.inTenant(tx =>
      tx.run(
        sql`update router_commands set state = 'sent', sent_at = now(), answered_at = null where device_id = ${id}`,
      ),
    );
    await send();
    expect(back.requests('rest')).toBe(0);
    await pass(id);
    await send();
    expect((await latest(id)).state).toBe('done');
  });

  test('for an unreachable router are sent immediately when its connection is corrected, or on request', async () => {
    const router = await start();
    const id = await device({ connection: connection(router, 'rest', { port: 9 }) });
    const waits = async () => {
      await block(id, `A0:00:00:00:00:${(await commands(id)).length + 10}`);
      await send();
      const it = await latest(id);
      expect(it).toMatchObject({ state: 'queued', attempts: 1, next_at: expect.any(String) });
      expect(Date.parse(it.next_at)).toBeGreaterThan(Date.now());
      return it;
    };
    const first = await waits();
    expect((await api.post(at(id, `/commands/${first.id}/retry`), { token })).body.data).toMatchObject({
      state: 'queued',
      attempts: 0,
    });
    await send();
    expect(await latest(id)).toMatchObject({ state: 'queued', attempts: 1 });
    await api.put(at(id), { token, body: { connection: connection(router, 'rest') } });
    await send();
    expect((await commands(id)).map(it => it.state)).toEqual(['done']);
    expect(router.bindings()).toHaveLength(1);
  });

  test('that failed are sent again on request, unless a newer one replaced them', async () => {
    const router = await start();
    const id = await connected(router);
    router.refuseNext('failure: full');
    await block(id, mac);
    await send();
    const failed = await latest(id);
    const retry = (command: string) => api.post(at(id, `/commands/${command}/retry`), { token });
    const again = await retry(failed.id);
    expect([again.status, again.body.data.state]).toEqual([200, 'queued']);
    expect((await retry(failed.id)).body.data.state).toBe('queued');
    await send();
    expect((await latest(id)).state).toBe('done');
    expect((await retry(failed.id)).status).toBe(409);
    expect((await retry('00000000-0000-4000-8000-000000000000')).status).toBe(404);
  });

  test('exist only for brands that take commands', async () => {
    const id = await device({}, 'sophos');
    await block(id, mac);
    expect(await commands(id)).toEqual([]);
  });
});
