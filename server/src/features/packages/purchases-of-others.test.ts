import { describe, expect, test } from 'vitest';
import { startShop } from './testing/shop.ts';

const { venue, purchaseOf, goOffline, newEmail, begin, decide, bought } = await startShop();

describe('strangers', () => {
  test('can forge neither a return nor a notification', async () => {
    const email = newEmail();
    const { purchase } = await begin(email, 1);
    const tenant = await venue.api.tenantId('panel');
    await decide(purchase, 'pay');
    for (const at of [
      `/pay/${tenant}/${purchase['id']}/${'0'.repeat(32)}`,
      `/pay/${tenant}/x/y`,
      `/pay/x/${purchase['id']}/z`,
    ])
      expect((await venue.captive.get(at)).status).toBe(404);
    const hook = `/pay/hook/${tenant}/${venue.location}`;
    expect((await venue.captive.post(hook, { id: purchase['id'] })).status).toBe(400);
    expect((await venue.captive.post(`/pay/hook/${venue.location}/${tenant}`, {})).status).toBe(404);
    expect((await purchaseOf(email))[0]).toMatchObject({ state: 'open' });
    const signature = venue.api.app.secrets.sign(`test payment ${tenant} ${purchase['id']}`);
    const good = await fetch(venue.captive.url + hook, {
      method: 'POST',
      body: purchase['id'],
      headers: { 'x-test-signature': signature },
    });
    expect([good.status, await good.text()]).toEqual([200, 'OK']);
    expect((await purchaseOf(email))[0]).toMatchObject({ state: 'paid' });
  });

  test('with the MAC of a buyer, but not its browser, are not let in', async () => {
    await bought(1);
    await goOffline();
    expect((await venue.captive.get(venue.arrival())).status).toBe(200);
    expect((await venue.captive.get(`/w/${venue.nas}/pay?lang=en`)).html).toContain('does not know your purchase');
  });

  test('of other tenants and members without the permission see and refund nothing', async () => {
    const { purchase } = await bought(1);
    const member = await venue.api.user('member', { location: venue.location, permissions: ['view-clients'] });
    await venue.api.tenantId('elsewhere');
    const foreigner = await venue.api.user('tenant-admin', { tenant: 'elsewhere' });
    const at = `panel/purchase/${purchase['id']}/refund`;
    expect((await venue.api.post(at, { token: member.token, body: { reason: 'x' } })).status).toBe(403);
    expect(
      (await venue.api.post(at, { token: foreigner.token, tenant: 'elsewhere', body: { reason: 'x' } })).status,
    ).toBe(404);
  });
});
