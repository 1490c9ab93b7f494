import sql from 'sql-template-tag';
import { beforeAll, expect, test } from 'vitest';
import { drivers } from '#routers/drivers.ts';
import { type Body, startApi } from '#test/harness.ts';
import { answers, startCoaRouter } from './testing/coa-router.ts';
import { makeScene, type Scene } from './testing/scene.ts';

const api = await startApi({ COA_TIMEOUT: '2' });
let scene: Scene;
let admin: string;
let ada: string;
beforeAll(async () => {
  scene = await makeScene(api.app, await api.tenantId('endable'));
  admin = (await api.user('tenant-admin', { tenant: 'endable' })).token;
  const router = await startCoaRouter();
  router.reply = answers.acknowledged;
  await scene.set('devices', scene.device.id, { coa_port: router.port });
  ada = await scene.addVisitor('ada', 'pw');
  await scene.send('start', { user: 'ada' });
  // However slow the machine is, it is not stale.
  await api.app.db.withSystem(tx => tx.run(sql`update online_sessions set interim = 3600`));
});
const as = () => ({ token: admin, tenant: 'endable' });
const online = async (): Promise<Body> => (await api.get('panel/onlines', as())).body.data[0];
const become = async (slug: string) => {
  const { id } = await scene.inTenant(tx => tx.one<{ id: string }>(sql`select id from brands where slug = ${slug}`));
  await scene.set('devices', scene.device.id, { brand_id: id });
};

/** The brands whose gateways take no command, without a controller's address. */
const untold = ['watchguard', 'meraki-click', 'omada', 'opnsense', 'pfsense', 'unifi'];

test.each(drivers.map(it => it.slug))('a session at %s is offered its end where the gateway is told', async slug => {
  await become(slug);
  const { rhid, endable, client_mac } = await online();
  expect(endable).toBe(!untold.includes(slug));
  const [hit] = (await api.get(`panel/search?search=${client_mac}`, as())).body.data;
  expect(hit).toMatchObject({ kind: 'session', id: rhid, endable });
  const { words } = (await api.post(`panel/kick/${rhid}`, as())).body.data;
  expect(words === 'Unsupported-Service', 'the answer to a command says the same').toBe(!endable);
});

test('the end of the sessions of visitors tells how many go on', async () => {
  const end = async () =>
    (await api.post('panel/client/selected/end-sessions', { ...as(), body: { ids: [ada] } })).body.data;
  await become('pfsense');
  expect(await end()).toEqual({ changed: 1, skipped: 0, told: 1, unendable: 1 });
  await become('mikrotik');
  expect(await end()).toEqual({ changed: 1, skipped: 0, told: 1, unendable: 0 });
});
