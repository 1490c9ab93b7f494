import sql from 'sql-template-tag';
import { beforeEach, expect, test } from 'vitest';
import { newId } from '#lib/ids.ts';
import type { RadiusDevice, SeenFacts } from '#radius/types.ts';
import { startApp } from '#test/harness.ts';
import { createSeenDevices } from './seen-devices.radius.ts';
import { makeScene, type Scene } from './testing/scene.ts';

const app = await startApp();
let scene: Scene;
beforeEach(async () => {
  scene = await makeScene(app);
});

const start = Date.parse('2026-11-20T10:00:00Z');
const at = (seconds: number): Date => new Date(start + seconds * 1000);
const text = (seconds: number): string => at(seconds).toISOString().replace('.000', '');
const facts = (it: Partial<SeenFacts>): SeenFacts => ({
  ...{ sourceIp: '198.51.100.1', kind: 'auth', proof: 'radius', nasIp: undefined, at: at(0) },
  ...it,
});
const deviceOf = (of: Scene, id: string = of.device.id): RadiusDevice => ({
  ...{ id, tenantId: of.tenantId, locationId: of.locationId, secret: Buffer.from('secret') },
  ...{ requireMessageAuthenticator: false, provenAddresses: new Set<string>() },
});
const stored = async (of: Scene) =>
  of.inTenant(tx =>
    tx.one<Record<string, unknown>>(
      sql`select last_seen_at, auth_seen_at, acct_seen_at, host(last_address) as address, clock_skew, message_authenticator,
        array(select host(network) from log_sources s where s.device_id = d.id order by network) as proven
        from devices d where id = ${of.device.id}`,
    ),
  );

test('packets of several devices and tenants that arrive together are stored together', async () => {
  const other = await makeScene(app);
  scene.handlers.learnedMessageAuthenticator(deviceOf(scene));
  scene.handlers.seen(deviceOf(scene), facts({ at: at(3), clockSkewSeconds: 40 }));
  scene.handlers.seen(deviceOf(scene), facts({ at: at(5), kind: 'acct', sourceIp: '198.51.100.2' }));
  scene.handlers.seen(deviceOf(scene), facts({ at: at(4), kind: 'acct', sourceIp: '198.51.100.3' }));
  // It was deleted meanwhile.
  scene.handlers.seen(deviceOf(scene, newId()), facts({}));
  // A replay proves nothing.
  scene.handlers.seen(deviceOf(other), facts({ at: at(9), proof: undefined }));
  await expect
    .poll(() => stored(other))
    .toMatchObject({ last_seen_at: text(9), proven: [], message_authenticator: false });
  expect(await stored(scene)).toEqual({
    ...{ last_seen_at: text(5), auth_seen_at: text(3), acct_seen_at: text(5), address: '198.51.100.2', clock_skew: 40 },
    ...{ message_authenticator: true, proven: ['198.51.100.1', '198.51.100.2', '198.51.100.3'] },
  });
});

test('an older packet changes nothing', async () => {
  scene.handlers.seen(deviceOf(scene), facts({ at: at(60) }));
  await expect.poll(() => stored(scene)).toMatchObject({ last_seen_at: text(60) });
  scene.handlers.seen(deviceOf(scene), facts({ at: at(30), sourceIp: '198.51.100.9' }));
  await expect.poll(() => stored(scene)).toMatchObject({ proven: ['198.51.100.1', '198.51.100.9'] });
  expect(await stored(scene)).toMatchObject({ last_seen_at: text(60), address: '198.51.100.1' });
});

test('a packet of the other kind, which another process stored first, does not hide an older one', async () => {
  const other = createSeenDevices(app);
  other.seen(deviceOf(scene), facts({ at: at(60), sourceIp: '198.51.100.9', proof: undefined }));
  await expect.poll(() => stored(scene)).toMatchObject({ auth_seen_at: text(60) });
  scene.handlers.seen(deviceOf(scene), facts({ at: at(59), kind: 'acct', proof: undefined, clockSkewSeconds: 7 }));
  await expect.poll(() => stored(scene)).toMatchObject({ acct_seen_at: text(59), clock_skew: 7 });
  expect(await stored(scene)).toMatchObject({
    ...{ last_seen_at: text(60), auth_seen_at: text(60), address: '198.51.100.9' },
  });
  // A process that starts again knows nothing of what it saw, and sets nothing back.
  const restarted = createSeenDevices(app);
  restarted.seen(deviceOf(scene), facts({ at: at(58), kind: 'acct', proof: undefined }));
  restarted.seen(deviceOf(scene), facts({ at: at(58), proof: undefined }));
  await Promise.all([other.end(), restarted.end()]);
  expect(await stored(scene)).toMatchObject({ acct_seen_at: text(59), auth_seen_at: text(60), last_seen_at: text(60) });
});

test('a device that is being changed keeps no other waiting, and is stored a moment later', async () => {
  const other = await makeScene(app);
  await scene.inTenant(async tx => {
    await tx.run(sql`update devices set name = 'Lobby' where id = ${scene.device.id}`);
    scene.handlers.seen(deviceOf(scene), facts({ at: at(7), proof: undefined }));
    scene.handlers.learnedMessageAuthenticator(deviceOf(scene));
    scene.handlers.seen(deviceOf(other), facts({ at: at(7), proof: undefined }));
    await expect.poll(() => stored(other)).toMatchObject({ last_seen_at: text(7) });
  });
  await expect.poll(() => stored(scene)).toMatchObject({ last_seen_at: text(7), message_authenticator: true });
});

test('while the database is away, a first Message-Authenticator waits for it, and a packet is given up', async () => {
  let failures = 0;
  const systemTrip: typeof app.db.systemTrip = work =>
    failures++ > 0 ? app.db.systemTrip(work) : Promise.reject(new Error('away'));
  const devices = createSeenDevices({ db: { ...app.db, systemTrip }, log: app.log });
  devices.learnedMessageAuthenticator(deviceOf(scene));
  devices.seen(deviceOf(scene), facts({ at: at(5) }));
  await expect.poll(() => stored(scene)).toMatchObject({ message_authenticator: true });
  expect(await stored(scene), 'the next packet counts').toMatchObject({ last_seen_at: null });
});
