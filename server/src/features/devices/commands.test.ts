import sql from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import { newId } from '#lib/ids.ts';
import type { Body } from '#test/harness.ts';
import { at, connection, mac, openCommandVenue, protocols, shown } from './testing/command-venue.ts';

const { api, token, location, device, commands, latest, start, connected, block, send, pass } =
  await openCommandVenue();

describe.each(protocols)('by %s, a router', protocol => {
  test('gets commands to block, bypass and remove MACs', async () => {
    const router = await start();
    router.add({ 'mac-address': mac, type: 'regular', comment: 'theirs' });
    const id = await connected(router, protocol);
    const rule = await block(id, mac);
    expect(await latest(id)).toMatchObject({ action: 'block', mac, state: 'queued', attempts: 0, driver: null });
    await send();
    expect(shown(router)).toEqual([
      { mac, type: 'regular', disabled: 'false' },
      { mac, type: 'blocked', disabled: 'false' },
    ]);
    expect(await latest(id)).toMatchObject({ state: 'done', words: '', driver: protocol, attempts: 1 });

    await block(id, 'A0:00:00:00:00:02', 'bypassed');
    expect((await api.delete(at(id, `/macs/${rule}`), { token })).status).toBe(204);
    await send();
    expect(shown(router)).toEqual([
      { mac, type: 'regular', disabled: 'false' },
      { mac: 'A0:00:00:00:00:02', type: 'bypassed', disabled: 'false' },
    ]);
    expect((await commands(id)).map(it => [it.action, it.state])).toEqual([
      ['release', 'done'],
      ['bypass', 'done'],
      ['block', 'done'],
    ]);
  });

  test('whose hotspot is switched off signs all guests out and lets none pass', async () => {
    let online = [
      { id: 'A1', mac, ip: '10.5.50.2', user: 'ayse' },
      { id: 'A2', mac: 'A0:00:00:00:00:05', ip: '10.5.50.3', user: 'can' },
    ];
    const guests = { list: () => online, end: (id: string) => void (online = online.filter(it => it.id !== id)) };
    const router = await start({ guests });
    const id = await connected(router, protocol);
    await block(id, 'A0:00:00:00:00:02', 'bypassed');
    await send();
    const off = await api.patch(at(id, '/management/disableHotspot'), { token });
    expect(off.body.data.hotspot_status).toBe(false);
    await send();
    expect(online).toEqual([]);
    await block(id, 'A0:00:00:00:00:03', 'bypassed');
    await send();
    expect(shown(router).map(it => it.disabled)).toEqual(['true', 'true']);
    await api.patch(at(id, '/management/enableHotspot'), { token });
    await send();
    expect(shown(router).map(it => it.disabled)).toEqual(['false', 'false']);
    expect((await latest(id)).state).toBe('done');
  });

  test('with an untrusted certificate or an unknown answer reports a clear message', async () => {
    const router = await start();
    const id = await connected(router, protocol);
    router.refuseNext('failure: already have such entry');
    await block(id, mac);
    await send();
    expect(await latest(id)).toMatchObject({ state: 'failed' });
    expect((await latest(id)).words).toContain('already have such entry');
    router.behave('half');
    await block(id, 'A0:00:00:00:00:07');
    await send();
    expect(await latest(id)).toMatchObject({ state: 'queued', attempts: 1 });
    expect((await latest(id)).words).toContain('closed the connection');
    router.behave('good');
    await pass(id);
    await send();
    expect(await latest(id)).toMatchObject({ state: 'done', attempts: 2 });
    router.behave('large');
    await block(id, 'A0:00:00:00:00:08');
    await send();
    expect(await latest(id)).toMatchObject({ state: 'failed', words: 'the answer is too large' });
    router.behave('good');
    const wrong = await connected(router, protocol, { password: 'yanlış' });
    await block(wrong, mac);
    await send();
    expect(await latest(wrong)).toMatchObject({ state: 'failed' });
    expect((await latest(wrong)).words).toMatch(/user ?name or password/);
    // After the correction, the failed commands go out on their own.
    await api.put(at(wrong), { token, body: { connection: connection(router, protocol) } });
    await send();
    expect((await latest(wrong)).state).toBe('done');
  });
});

test('a router older than 6.43 signs in by a challenge', async () => {
  const router = await start({ login: 'challenge', version: '6.40.9' });
  const id = await connected(router, 'api');
  await block(id, mac);
  await send();
  expect((await latest(id)).state).toBe('done');
  const wrong = await connected(router, 'api', { password: 'yanlış' });
  await block(wrong, mac);
  await send();
  expect((await latest(wrong)).state).toBe('failed');
});

describe('a guest who is online', () => {
  const online = async (id: string): Promise<string> => {
    const session = newId();
    const tenant = await api.tenantId('panel');
    await api.app.db.withSystem(tx =>
      tx.run(sql`insert into online_sessions (tenant_id, id, accounting_id, location_id, device_id, user_name, acct_session_id, client_mac,
          started_at, updated_at, interim, day, hour_ends_at)
        values (${tenant}, ${session}, ${newId()}, ${location}, ${id}, 'ayse', ${session}, ${mac}, now(), now(), 60, current_date, now() + interval '1 day')`),
    );
    return session;
  };
  const commands = (session: string) =>
    api.inTenant(tx => tx.many<Body>(sql`select state, reason from session_commands where session_id = ${session}`));

  test('is signed out by RADIUS as well when their device is blocked', async () => {
    const id = await device();
    const session = await online(id);
    await block(id, 'A0:00:00:00:00:09');
    expect(await commands(session)).toEqual([]);
    await block(id, mac);
    expect(await commands(session)).toEqual([{ state: 'requested', reason: 'blocked' }]);
  });

  test('is signed out by the router’s interface if it ignores Disconnect-Requests', async () => {
    let guests = [{ id: 'A1', mac, ip: '10.5.50.2', user: 'ayse' }];
    const router = await start({
      guests: { list: () => guests, end: gone => void (guests = guests.filter(it => it.id !== gone)) },
    });
    const id = await connected(router);
    const session = await online(id);
    const answer = await api.post(`panel/kick/${session}`, { token });
    expect([answer.status, answer.body.data.state]).toEqual([200, 'no-answer']);
    expect(await latest(id)).toMatchObject({ action: 'logout', mac, state: 'queued' });
    await send();
    expect(guests).toEqual([]);
    expect((await latest(id)).state).toBe('done');
    // Without such an interface, no sign-out stays queued that could affect a later guest.
    const alone = await device();
    await api.post(`panel/kick/${await online(alone)}`, { token });
    expect(await commands(alone)).toEqual([]);
  });

  test('is signed out late if that was asked for again meanwhile', async () => {
    let guests = [{ id: 'A1', mac, ip: '10.5.50.2', user: 'ayse' }];
    const router = await start({
      guests: { list: () => guests, end: gone => void (guests = guests.filter(it => it.id !== gone)) },
    });
    // Nothing listens there.
    const id = await connected(router, 'rest', { port: 1 });
    const session = await online(id);
    expect((await api.post(`panel/kick/${session}`, { token })).status).toBe(200);
    await send();
    await api.inTenant(tx =>
      tx.run(sql`update router_commands set created_at = now() - interval '11 minutes' where device_id = ${id}`),
    );
    expect((await api.post(`panel/kick/${session}`, { token })).status).toBe(200);
    const moved = await api.put(at(id), { token, body: { connection: connection(router, 'rest') } });
    expect(moved.status, moved.text).toBe(200);
    await send();
    expect(guests).toEqual([]);
    expect(await latest(id)).toMatchObject({ action: 'logout', state: 'done' });
  });

  test('who signed in again is not signed out by an old command of a router that was away', async () => {
    let guests = [{ id: 'A1', mac, ip: '10.5.50.2', user: 'ayse' }];
    const router = await start({
      guests: { list: () => guests, end: gone => void (guests = guests.filter(it => it.id !== gone)) },
    });
    // Nothing listens there.
    const id = await connected(router, 'rest', { port: 1 });
    expect((await api.post(`panel/kick/${await online(id)}`, { token })).status).toBe(200);
    await send();
    expect(await latest(id)).toMatchObject({ action: 'logout', state: 'queued', attempts: 1 });
    await api.inTenant(tx =>
      tx.run(sql`update router_commands set created_at = now() - interval '11 minutes' where device_id = ${id}`),
    );
    const moved = await api.put(at(id), { token, body: { connection: connection(router, 'rest') } });
    expect(moved.status, moved.text).toBe(200);
    await send();
    expect(guests).toHaveLength(1);
    expect(await latest(id)).toMatchObject({ action: 'logout', state: 'failed', words: 'too late' });
  });
});
