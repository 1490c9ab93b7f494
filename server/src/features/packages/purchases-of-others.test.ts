import sql from 'sql-template-tag';
import { describe, expect, onTestFinished, test } from 'vitest';
import { newId } from '#lib/ids.ts';
import { returnPath } from './return-address.ts';
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

describe('the page of the test provider', () => {
  test('is only for its own payments, and only where the provider is allowed', async () => {
    const { purchase } = await begin(newEmail(), 1);
    const { pathname } = new URL(purchase['pay_url']);
    const tenant = await venue.api.tenantId('panel');
    const elsewhere = await venue.api.tenantId('elsewhere');
    const { id } = purchase;
    const strange = [
      [tenant, 'x'],
      ['x', id],
      [tenant, newId()],
      [elsewhere, id],
    ].map(it => `/pay/test/${it.join('/')}`);
    const asked = async (at: string) => [
      (await venue.captive.get(at)).status,
      (await venue.captive.post(at, { decide: 'pay' })).status,
    ];
    for (const at of strange) expect(await asked(at), at).toEqual([404, 404]);
    const page = await venue.captive.get(pathname);
    for (const text of ['€4.99', 'Day &#60;pass&#62;', 'value="pay"', 'value="decline"'])
      expect(page.html).toContain(text);
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self' http: https:");
    const { settings } = venue.api.app;
    onTestFinished(() => void Object.assign(settings, { TEST_PAYMENTS: true }));
    Object.assign(settings, { TEST_PAYMENTS: false });
    expect(await asked(pathname)).toEqual([404, 404]);
    expect((await venue.captive.post(`/pay/hook/${tenant}/${venue.location}`, {})).status).toBe(404);
    expect(await venue.rows(sql`select state from test_payments where reference = ${id}`)).toEqual([{ state: 'open' }]);
  });

  test('takes one decision, and then shows the way back', async () => {
    const email = newEmail();
    const { purchase } = await begin(email, 1);
    const { pathname } = new URL(purchase['pay_url']);
    const back = returnPath(venue.api.app, await venue.api.tenantId('panel'), purchase['id']);
    // Any value other than `pay` refuses the payment.
    for (const decide of ['what', 'pay']) {
      const answer = await venue.captive.post(pathname, { decide });
      expect([answer.status, new URL(answer.headers.get('location')!).pathname]).toEqual([303, back]);
    }
    const { html } = await venue.captive.get(pathname);
    expect([html.includes(`${back}">Back`), html.includes('<form')]).toEqual([true, false]);
    await venue.captive.get(back);
    expect((await purchaseOf(email))[0]).toMatchObject({ state: 'failed' });
  });
});

describe('a guest who comes back from a payment', () => {
  test('is sent to the page of the purchase in its language, also by a form', async () => {
    const { purchase } = await begin(newEmail(), 1);
    const { id } = purchase;
    const back = returnPath(venue.api.app, await venue.api.tenantId('panel'), id);
    const page = `/w/${venue.nas}/pay?check=1&lang=en`;
    const to = async (more: string) => (await venue.captive.get(back + more)).headers.get('location');
    expect([await to(''), await to('?declined=1'), await to('?declined=0')]).toEqual([
      page,
      `${page}&declined=1`,
      page,
    ]);
    const posted = await venue.captive.post(back, { any: 'thing' });
    expect([posted.status, posted.headers.get('location')]).toEqual([303, page]);
    await venue.run(sql`update purchases set language = 'tr' where id = ${id}`);
    expect(await to('')).toBe(page.replace('lang=en', 'lang=tr'));
    // Without its router, another one of the location leads to it.
    await venue.run(sql`update purchases set device_id = null where id = ${id}`);
    expect(await to('')).toBe(page.replace('lang=en', 'lang=tr'));
  });

  test('is shown its page though the provider does not answer; a notification is asked for again', async () => {
    const email = newEmail();
    const { purchase } = await begin(email, 1);
    const { id } = purchase;
    const tenant = await venue.api.tenantId('panel');
    const notify = async (body: string, location = venue.location) => {
      const headers = { 'x-test-signature': venue.api.app.secrets.sign(`test payment ${tenant} ${body}`) };
      const answer = await fetch(`${venue.captive.url}/pay/hook/${tenant}/${location}`, {
        method: 'POST',
        body,
        headers,
      });
      return [answer.status, await answer.text(), answer.headers.get('retry-after')];
    };
    await venue.run(sql`update test_payments set reference = ${newId()} where reference = ${id}`);
    expect(await notify(id)).toEqual([503, 'later', '5']);
    expect((await venue.captive.get(returnPath(venue.api.app, tenant, id))).status).toBe(303);
    expect((await purchaseOf(email))[0]).toMatchObject({ state: 'open' });
    // Nothing is asked about a purchase that is not known here.
    expect(await notify(newId())).toEqual([200, 'OK', null]);
    const other = await venue.create('panel/location', { name: 'Başka' });
    expect((await notify(id, other.id))[0]).toBe(404);
    for (const at of [`x/${venue.location}`, `${tenant}/x`])
      expect((await venue.captive.post(`/pay/hook/${at}`, {})).status, at).toBe(404);
  });
});
