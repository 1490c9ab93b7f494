import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { startApi } from '#test/harness.ts';

const api = await startApi();
const admin = (await api.user('tenant-admin')).token;
const location = await api.location(admin, 'Otel');
const [brand] = (await api.get('panel/device/brands', { token: admin })).body.data;
const makeDevice = async (mac: string): Promise<string> => {
  const body = { brand_id: brand.id, mac_address: mac, name: mac, location_id: location };
  return (await api.post('panel/device', { token: admin, body })).body.data.id;
};
const devices = [await makeDevice('A1:B2:C3:D4:E5:F6'), await makeDevice('A1:B2:C3:D4:E5:F7')];

let taken = 0;
api.app.db.pool.on('acquire', () => {
  taken += 1;
});
/** What a token gets of the list of devices, and in how many transactions. */
async function list(token: string, path = 'panel/device', tenant = 'panel') {
  taken = 0;
  const { status, body } = await api.get(path, { token, tenant });
  return { status, seen: status === 200 ? body.meta.total : undefined, transactions: taken };
}
/** A member whose token is remembered. */
async function known() {
  const member = await api.user('member', { location });
  expect(await list(member.token)).toMatchObject({ status: 200, seen: 2 });
  expect(await list(member.token)).toEqual({ status: 200, seen: 2, transactions: 1 });
  return member;
}
const change = (id: string, set: ReturnType<typeof sql>) =>
  api.inTenant(tx => tx.run(sql`update location_members set ${set} where user_id = ${id}`));

test('what a member may see and do is what it is now, not when its token was last seen', async () => {
  const { id, token } = await known();
  await change(id, sql`device_ids = ${[devices[0]]}`);
  expect(await list(token)).toMatchObject({ status: 200, seen: 1 });
  await change(id, sql`device_ids = null, permissions = '{view-clients}'`);
  expect(await list(token)).toMatchObject({ status: 403 });
  await change(id, sql`permissions = '{view-devices}'`);
  expect(await list(token)).toMatchObject({ status: 200, seen: 2 });
  await api.inTenant(tx => tx.run(sql`delete from location_members where user_id = ${id}`));
  expect((await list(token)).seen).toBeUndefined();
});

test('a sign-in that was ended, ran out or is of another tenant is refused at once', async () => {
  const ended = await known();
  expect((await api.post('user/logout', { token: ended.token })).status).toBeLessThan(300);
  expect(await list(ended.token)).toMatchObject({ status: 401 });
  const late = await known();
  await api.inTenant(tx => tx.run(sql`update tokens set expires_at = now() where user_id = ${late.id}`));
  for (const path of ['panel/device', 'panel/reports/sessions?download[]=true', 'panel/client?search=x'])
    expect(await list(late.token, path)).toMatchObject({ status: 401 });
  await api.tenantId('other');
  expect(await list((await known()).token, 'panel/device', 'other')).toMatchObject({ status: 401 });
  const gone = await known();
  await api.inTenant(tx => tx.run(sql`delete from users where id = ${gone.id}`));
  expect(await list(gone.token)).toMatchObject({ status: 401 });
});

test('a tenant that begins to ask for a second factor holds back who has none', async () => {
  const { token } = await known();
  const ask = (on: boolean) => api.inTenant(tx => tx.run(sql`update tenants set require_second_factor = ${on}`));
  await ask(true);
  expect(await list(token)).toMatchObject({ status: 403 });
  await ask(false);
  expect(await list(token)).toMatchObject({ status: 200 });
});

test('when a sign-in was last used is still noted, and bad filters are still told', async () => {
  const { id, token } = await known();
  const used = () =>
    api.inTenant(tx =>
      tx.one<{ lately: boolean }>(
        sql`select last_used_at > now() - interval '1 minute' as lately from tokens where user_id = ${id}`,
      ),
    );
  await api.inTenant(tx =>
    tx.run(sql`update tokens set last_used_at = now() - interval '1 hour' where user_id = ${id}`),
  );
  expect(await used()).toEqual({ lately: false });
  expect(await list(token)).toMatchObject({ status: 200, seen: 2 });
  expect(await used()).toEqual({ lately: true });
  const bad = await api.get('panel/device?page=0', { token });
  expect([bad.status, Object.keys(bad.body.errors)]).toEqual([422, ['page']]);
});
