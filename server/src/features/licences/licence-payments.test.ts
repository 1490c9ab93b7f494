import sql, { type Sql } from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { takeMails } from '#mail/testing.ts';
import { afterFile } from '#test/after-file.ts';
import { type Body, startApi, type TestApi } from '#test/harness.ts';
import { buildPages, startCaptive } from '../guests/testing/captive.ts';
import { findHinted } from './licence-payments.queries.ts';
import { reconcileLicences } from './licences.jobs.ts';

let api: TestApi;
let captive: Awaited<ReturnType<typeof startCaptive>>;
let admin: string;
let location: string;
let manager: { id: string; email: string; token: string };

const terms = { is_active: true, price: 12_000, currency: 'eur', tax_rate: 2000 };
const year = 365 * 86_400_000;

beforeAll(async () => {
  api = await startApi({ CAPTIVE_URL: 'http://guests.example', TRUST_PROXY: '127.0.0.1' });
  captive = await startCaptive(api, await buildPages());
  afterFile(() => captive.close());
  admin = (await api.user('tenant-admin')).token;
  expect((await api.post('panel/integration', { token: admin, body: ownAccount })).status).toBe(201);
}, 120_000);
beforeEach(async () => {
  location = await api.location(admin, 'Otel Mavi');
  manager = await api.user('member', { location });
  expect((await setTerms(terms)).status).toBe(200);
  await takeMails(api.app);
});

const setTerms = (body: object, token = admin) => api.put('panel/license-terms', { token, body });
const pay = (body: object = { year: 2 }, token = manager.token, at = location) =>
  api.post(`panel/location/${at}/license-payment`, { token, body });
const payment = async (id: string): Promise<Body> =>
  (await api.get(`panel/location/${location}/license-payment/${id}`, { token: manager.token })).body.data;
const end = async (): Promise<string | null> =>
  (await api.get(`panel/location/${location}`, { token: admin })).body.data.license_end_at;
/** Expects that the licence ends at the moment at which something is done, to the second. */
async function expectEndNow(work: () => Promise<unknown>): Promise<void> {
  const begun = Date.now();
  await work();
  const ended = Date.parse((await end())!);
  expect(ended).toBeGreaterThan(begun - 1000);
  expect(ended).toBeLessThanOrEqual(Date.now());
}
const refund = (id: string, token = admin) =>
  api.post(`panel/license-payment/${id}/refund`, { token, body: { reason: 'Yanlış' } });
const change = (statement: Sql) => api.inTenant(tx => tx.run(statement));
const rows = <T extends Record<string, unknown>>(statement: Sql) =>
  api.inTenant(tx => tx.many<T>(statement)) as Promise<[T]>;
const checkAt = async (id: string) =>
  (await rows<{ check_at: string | null }>(sql`select check_at from licence_payments where id = ${id}`))[0].check_at;
async function runJobFor(id: string) {
  await change(sql`update licence_payments set check_at = now() where id = ${id}`);
  await reconcileLicences(api.app);
}
/** The key of the account cannot be read, so that the provider is not reached. Returns the repair. */
async function breakAccount() {
  const own = sql`location_id is null and kind = 'test-payment'`;
  const [{ connection }] = await rows<{ connection: string }>(sql`select connection from integrations where ${own}`);
  await change(sql`update integrations set connection = 'broken' where ${own}`);
  return () => change(sql`update integrations set connection = ${connection} where ${own}`);
}
const ownAccount = {
  name: 'Tenant',
  integration_id: 'test-payment',
  params: { connection: { type: 'test-payment' } },
  location_id: null,
};
/** Decides on the page of the test provider, and follows the way back. */
async function decide(url: string, decision: 'pay' | 'decline') {
  const { pathname } = new URL(url);
  const answer = await captive.post(pathname, { decide: decision });
  expect(answer.status).toBe(303);
  return captive.get(new URL(answer.headers.get('location')!).pathname);
}

describe('licences paid online', () => {
  test('are switched on by the tenant, which needs an account of its own; before that, customers send requests', async () => {
    const tenant = 'newcomer';
    const boss = api.as((await api.user('tenant-admin', { tenant })).token, { tenant });
    const location = (await boss.post('panel/location', { name: 'Otel Yeni' })).body.data.id;
    const manager = api.as((await api.user('member', { tenant, location })).token, { tenant });
    const offer = async () => (await manager.get(`panel/location/${location}/license-offer`)).body.data;
    expect(await offer()).toBeNull();
    const refused = await manager.post(`panel/location/${location}/license-payment`, { year: 2 });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['year']]);
    const alone = await boss.put('panel/license-terms', terms);
    expect([alone.status, Object.keys(alone.body.errors)]).toEqual([422, ['is_active']]);
    expect((await manager.post('panel/integration', ownAccount)).status).toBe(403);
    const made = await boss.post('panel/integration', ownAccount);
    expect(made.status, made.text).toBe(201);
    const second = await boss.post('panel/integration', ownAccount);
    expect([second.status, second.body.errors]).toMatchObject([422, { location_id: [/for all locations/] }]);
    const mail = {
      name: 'X',
      integration_id: 'smtp',
      location_id: null,
      params: { connection: { type: 'smtp', host: 'x', port: 25, from_name: 'x', from_address: 'x@example.com' } },
    };
    expect((await boss.post('panel/integration', mail)).status).toBe(422);
    expect((await manager.put('panel/license-terms', terms)).status).toBe(403);
    for (const [wrong, field] of [
      [{ ...terms, price: 0 }, 'price'],
      [{ ...terms, price: 1.5 }, 'price'],
      [{ ...terms, currency: 'xyz' }, 'currency'],
      [{ ...terms, tax_rate: 10_001 }, 'tax_rate'],
    ] as const) {
      const answer = await boss.put('panel/license-terms', wrong);
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]]);
    }
    expect((await boss.put('panel/license-terms', terms)).status).toBe(200);
    expect(await offer()).toEqual(terms);
    expect((await boss.put('panel/license-terms', { price: 15_000 })).body.data).toEqual({ ...terms, price: 15_000 });
    expect((await boss.put('panel/license-terms', { price: 12_000 })).status).toBe(200);
  });

  test('are in force at once, for the amount of the server; the receipt is mailed, and all is in the audit log', async () => {
    const before = await end();
    const begun = await pay({ year: 2, amount: 1, price: 1, expected_end_at: before });
    expect(begun.status, begun.text).toBe(201);
    const { id, url } = begun.body.data;
    expect(await payment(id)).toMatchObject({ state: 'open', amount: 24_000, tax: 4000, currency: 'eur', years: 2 });
    expect(await end()).toBe(before);
    const back = await decide(url, 'pay');
    expect(back.status).toBe(303);
    const target = new URL(back.headers.get('location')!);
    expect([target.pathname, target.searchParams.get('payment')]).toEqual(['/onboarding/subscribe/payment', id]);
    const after = (await end())!;
    expect(Math.abs(Date.parse(after) - Date.now() - 2 * year)).toBeLessThan(3 * 86_400_000);
    expect(await payment(id)).toMatchObject({ state: 'paid', license_end_at: after, provider: 'test-payment' });
    const [mail] = await takeMails(api.app);
    expect(mail!.to).toBe(manager.email);
    expect(mail!.text).toMatch(/240[.,]00/);
    const log = (await api.get('panel/audit?per_page=5', { token: admin })).body.data;
    expect(JSON.stringify(log)).toContain('license_end_at');
    expect(JSON.stringify(log)).toContain('licence-payment');

    // Repeated messages count once.
    for (let n = 0; n < 3; n += 1) await captive.get(new URL(back.headers.get('location')!).pathname);
    await Promise.all([1, 2, 3].map(() => api.post(`panel/license-payment/${id}/check`, { token: admin })));
    await decide(url, 'pay');
    expect(await end()).toBe(after);
    expect(await takeMails(api.app)).toEqual([]);
  });

  test('begin at the end of a running licence; one that changed meanwhile is a 409 and nothing is paid', async () => {
    await api.inTenant(tx =>
      tx.run(sql`update locations set license_end_at = now() + interval '100 days' where id = ${location}`),
    );
    const had = (await end())!;
    const changed = await pay({ year: 1, expected_end_at: null });
    expect([changed.status, changed.body.current.expected_end_at]).toEqual([409, had]);
    const { url } = (await pay({ year: 1, expected_end_at: had })).body.data;
    await decide(url, 'pay');
    expect(Math.abs(Date.parse((await end())!) - Date.parse(had) - year)).toBeLessThan(2 * 86_400_000);
  });

  test('are requests for the customers of a reseller, who sets the price', async () => {
    const reseller = await api.user('reseller');
    const of = await api.location(reseller.token, 'Bayi Otel');
    const { token } = await api.user('member', { location: of });
    expect((await api.get(`panel/location/${of}/license-offer`, { token })).body.data).toBeNull();
    const refused = await pay({ year: 1 }, token, of);
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['year']]);
    expect((await api.get(`panel/location/${location}/license-offer`, { token })).status).toBe(404);
    expect((await api.post(`panel/location/${of}/license-request`, { token, body: { year: 1 } })).status).toBe(204);
  });

  test('begun in two tabs have one page, so that they are paid once', async () => {
    const begun = [await pay({ year: 1 }), await pay({ year: 1 })];
    expect(begun.map(it => it.status)).toEqual([201, 201]);
    expect(begun[1]!.body.data).toEqual(begun[0]!.body.data);
    const atOnce = await Promise.all([1, 2, 3].map(() => pay({ year: 3 })));
    expect(atOnce.map(it => it.status)).toEqual([201, 201, 201]);
    const pages = new Set(atOnce.map(it => it.body.data.url));
    expect(pages.size).toBe(1);
    expect((await pay({ year: 2 })).body.data.id).not.toBe(begun[0]!.body.data.id);
    const of = (await api.user('member', { location })).token;
    expect((await pay({ year: 1 }, of)).body.data.id).not.toBe(begun[0]!.body.data.id);
    await decide(begun[0]!.body.data.url, 'pay');
    expect((await pay({ year: 1 })).body.data.id).not.toBe(begun[0]!.body.data.id);
  });

  test('are not offered again once the provider has sent the buyer back unpaid', async () => {
    const { id } = (await pay({ year: 1 })).body.data;
    await change(sql`update licence_payments set created_at = now() - interval '30 minutes' where id = ${id}`);
    expect((await pay({ year: 1 })).body.data.id).toBe(id);
    const [{ return_url }] = await rows<{ return_url: string }>(
      sql`select return_url from test_payments where reference = ${id}`,
    );
    expect((await captive.get(new URL(return_url).pathname)).status).toBe(303);
    expect((await payment(id)).state).toBe('open');
    expect((await pay({ year: 1 })).body.data.id).not.toBe(id);
  });

  test('say at the provider what is bought, and on the receipt the day at the location', async () => {
    await change(sql`update locations set time_zone = 'Europe/Istanbul',
      license_end_at = date_trunc('year', now()) + interval '1 year 31 days 22 hours' where id = ${location}`);
    const year = new Date().getUTCFullYear() + 2;
    const { id, url } = (await pay({ year: 1 })).body.data;
    const [{ title }] = await rows<{ title: string }>(sql`select title from test_payments where reference = ${id}`);
    expect(title).toMatch(/^Otel Mavi · (licence, 1 year|1 yıllık lisans)$/);
    await decide(url, 'pay');
    const [mail] = await takeMails(api.app);
    expect(mail!.text).toMatch(new RegExp(`\\b2 (Feb|Şub) ${year}`));
  });

  test('lead back to the panel where they were begun, if it is one of the tenant', async () => {
    await change(sql`insert into tenant_domains (host, proof, verified_at) values ('panel.otel.example', 'x', now())`);
    const targets: string[] = [];
    for (const host of ['panel.otel.example', 'evil.example']) {
      const begun = await api.post(`panel/location/${location}/license-payment`, {
        token: manager.token,
        body: { year: 1 },
        headers: { 'x-forwarded-host': host },
      });
      expect(begun.status, begun.text).toBe(201);
      const back = await decide(begun.body.data.url, 'decline');
      targets.push(new URL(back.headers.get('location')!).hostname);
    }
    expect(targets).toEqual(['panel.otel.example', new URL(api.app.settings.PUBLIC_URL).hostname]);
  });

  test('that are declined give nothing; the customer can try again', async () => {
    const before = await end();
    const { id, url } = (await pay({ year: 1 })).body.data;
    await decide(url, 'decline');
    expect([await end(), (await payment(id)).state]).toEqual([before, 'failed']);
    expect((await pay({ year: 1 })).status).toBe(201);
  });

  test('whose notification is lost are found by the job; a forged notification or return causes nothing', async () => {
    const { id, url } = (await pay({ year: 1 })).body.data;
    await api.inTenant(tx => tx.run(sql`update test_payments set state = 'paid' where reference = ${id}`));
    const [{ tenant }] = (await api.inTenant(tx => tx.many(sql`select current_tenant() as tenant`))) as [
      { tenant: string },
    ];
    const forged = await captive.ask(`/pay/licence-hook/${tenant}`, {
      method: 'POST',
      body: id,
      headers: { 'content-type': 'text/plain', 'x-test-signature': '00' },
    });
    expect(forged.status).toBe(400);
    expect((await captive.get(`/pay/licence/${tenant}/${id}/${'0'.repeat(32)}`)).status).toBe(404);
    expect((await captive.post('/pay/licence-hook/x', {})).status).toBe(404);
    expect((await payment(id)).state).toBe('open');
    await api.inTenant(tx => tx.run(sql`update licence_payments set check_at = now() where id = ${id}`));
    await reconcileLicences(api.app);
    expect((await payment(id)).state).toBe('paid');
    expect(url).toContain(id);
  });

  test.each([
    ['amount', sql`amount = 1`],
    ['currency', sql`currency = 'usd'`],
  ] as const)('of which the provider reports another %s give nothing', async (problem, changed) => {
    const before = await end();
    const { id, url } = (await pay({ year: 1 })).body.data;
    await api.inTenant(tx => tx.run(sql`update test_payments set ${changed} where reference = ${id}`));
    await decide(url, 'pay');
    expect([await end(), await payment(id)]).toMatchObject([before, { state: 'refused', problem }]);
  });

  test('that are paid back end as many years earlier, once, at the earliest now', async () => {
    const { id, url } = (await pay({ year: 1 })).body.data;
    await decide(url, 'pay');
    await api.post(`panel/location/${location}/license`, { token: admin, body: { year: 1 } });
    const long = Date.parse((await end())!);
    expect((await refund(id, manager.token)).status).toBe(403);
    const done = await refund(id);
    expect([done.status, done.body.data.state]).toEqual([200, 'refunded']);
    expect(Math.abs(long - Date.parse((await end())!) - year)).toBeLessThan(2 * 86_400_000);
    const shorter = await end();
    const again = await refund(id);
    expect([again.status, Object.keys(again.body.errors)]).toEqual([422, ['reason']]);
    await api.post(`panel/license-payment/${id}/check`, { token: admin });
    expect(await end()).toBe(shorter);

    const other = (await pay({ year: 3 })).body.data;
    await decide(other.url, 'pay');
    await api.inTenant(tx =>
      tx.run(sql`update locations set license_end_at = now() + interval '1 day' where id = ${location}`),
    );
    await expectEndNow(() => refund(other.id));
  });

  test('long ago are paid back too, when the provider answers again', async () => {
    const { id, url } = (await pay({ year: 1 })).body.data;
    await decide(url, 'pay');
    await change(sql`update licence_payments set created_at = now() - interval '200 days', paid_at = now() - interval '200 days'
      where id = ${id}`);
    const repair = await breakAccount();
    expect((await refund(id)).body.data.state).toBe('refunding');
    for (let n = 0; n < 2; n += 1) {
      expect(await checkAt(id)).not.toBeNull();
      await runJobFor(id);
      expect((await payment(id)).state).toBe('refunding');
    }
    expect(await checkAt(id)).not.toBeNull();
    await repair();
    await runJobFor(id);
    expect((await payment(id)).state).toBe('refunded');
    expect(await checkAt(id)).toBeNull();

    const other = (await pay({ year: 1 })).body.data;
    await decide(other.url, 'pay');
    const repairAgain = await breakAccount();
    expect((await refund(other.id)).body.data.state).toBe('refunding');
    await repairAgain();
    const checked = await api.post(`panel/license-payment/${other.id}/check`, { token: admin });
    expect(checked.body.data.state).toBe('refunded');
  });

  test('whose page the provider did not make are over, and the job leaves them alone', async () => {
    const repair = await breakAccount();
    const refused = await pay({ year: 1 });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['year']]);
    await repair();
    const [made] = await rows<{ state: string; check_at: string | null }>(
      sql`select state, check_at from licence_payments where location_id = ${location}`,
    );
    expect(made).toEqual({ state: 'failed', check_at: null });
  });

  test('are taken by a genuine notification, which comes again when the provider does not answer', async () => {
    const { id } = (await pay({ year: 1 })).body.data;
    const [{ tenant }] = await rows<{ tenant: string }>(sql`select current_tenant() as tenant`);
    const notify = () =>
      captive.ask(`/pay/licence-hook/${tenant}`, {
        method: 'POST',
        body: id,
        headers: {
          'content-type': 'text/plain',
          'x-test-signature': api.app.secrets.sign(`test payment ${tenant} ${id}`),
        },
      });
    await change(sql`update test_payments set state = 'paid', reference = 'away' where reference = ${id}`);
    const later = await notify();
    expect([later.status, Number(later.headers.get('retry-after')) > 0]).toEqual([503, true]);
    expect((await payment(id)).state).toBe('open');
    await change(sql`update test_payments set reference = ${id} where reference = 'away'`);
    expect((await notify()).status).toBe(200);
    expect((await payment(id)).state).toBe('paid');
  });

  test('are found by any of the ids that a notification may name, for its own account only', async () => {
    const { id, url } = (await pay({ year: 1 })).body.data;
    await decide(url, 'pay');
    await change(sql`update licence_payments set reference = 'checkout-7' where id = ${id}`);
    const [{ account, payment }] = await rows<{ account: string; payment: string }>(
      sql`select integration_id as account, payment from licence_payments where id = ${id}`,
    );
    const found = (hint: { id?: string; reference?: string; payment?: string }, of = account) =>
      api.inTenant(async tx => (await findHinted(tx, of, hint))?.id);
    for (const hint of [{ id }, { reference: 'checkout-7' }, { payment }]) {
      expect(await found(hint), JSON.stringify(hint)).toBe(id);
      expect(await found(hint, location)).toBeUndefined();
    }
    for (const none of [{}, { reference: 'other', id }, { payment: 'other', id }])
      expect(await found(none)).toBeUndefined();
  });

  test('are listed newest first, by page and by state', async () => {
    const { id: older, url } = (await pay({ year: 1 })).body.data;
    await decide(url, 'decline');
    const { id: newer } = (await pay({ year: 2 })).body.data;
    const list = async (query: string) => {
      const { data, meta } = (await api.get(`panel/license-payment?${query}`, { token: admin })).body;
      return [data.map((it: Body) => it.id), meta.total];
    };
    const [ids, total] = await list('per_page=100');
    expect(ids.slice(0, 2)).toEqual([newer, older]);
    expect(await list('per_page=1&page=2')).toEqual([[older], total]);
    expect((await list('state=open&per_page=1'))[0]).toEqual([newer]);
    expect((await list('state=failed&per_page=1'))[0]).toEqual([older]);
  });

  test('outlive the location; what is paid for a deleted one can be paid back', async () => {
    const gone = await api.location(admin, 'Otel Yeşil');
    const { token } = await api.user('member', { location: gone });
    const paid = (await pay({ year: 1 }, token, gone)).body.data;
    await decide(paid.url, 'pay');
    const open = (await pay({ year: 2 }, token, gone)).body.data;
    expect((await api.delete(`panel/location/${gone}`, { token: admin })).status).toBe(204);
    await decide(open.url, 'pay');
    const list = (await api.get('panel/license-payment?per_page=50', { token: admin })).body.data as Body[];
    const named = { id: null, name: 'Otel Yeşil' };
    expect(list.find(it => it.id === paid.id)).toMatchObject({ state: 'paid', location: named });
    expect(list.find(it => it.id === open.id)).toMatchObject({
      state: 'refused',
      problem: 'location',
      location: named,
    });
    for (const { id } of [paid, open]) expect((await refund(id)).body.data).toMatchObject({ state: 'refunded' });
  });

  test('that the bank takes back end too', async () => {
    const { id, url } = (await pay({ year: 1 })).body.data;
    await decide(url, 'pay');
    await api.inTenant(tx => tx.run(sql`update test_payments set disputed = true where reference = ${id}`));
    await expectEndNow(() => api.post(`panel/license-payment/${id}/check`, { token: admin }));
    expect((await payment(id)).state).toBe('charged-back');
  });

  test.each([
    ['refunded', sql`refunded = amount`],
    ['charged-back', sql`disputed = true`],
  ])('that went back before they were known give nothing: %s', async (state, back) => {
    const { id } = (await pay({ year: 2 })).body.data;
    await change(sql`update test_payments set state = 'paid', ${back} where reference = ${id}`);
    await expectEndNow(() => runJobFor(id));
    expect(await payment(id)).toMatchObject({ state });
    expect(await takeMails(api.app)).toEqual([]);
  });

  test('belong to their location, and to tenant administrators', async () => {
    const { id } = (await pay({ year: 1 })).body.data;
    const stranger = (await api.user('member', { location: await api.location(admin, 'Öteki') })).token;
    expect((await pay({ year: 1 }, stranger)).status).toBe(404);
    expect((await api.get(`panel/location/${location}/license-payment/${id}`, { token: stranger })).status).toBe(404);
    const powerless = (await api.user('member', { location, permissions: ['view-clients'] })).token;
    expect((await pay({ year: 1 }, powerless)).status).toBe(403);
    for (const token of [manager.token, stranger]) {
      expect((await api.get('panel/license-payment', { token })).status).toBe(403);
      expect((await api.post(`panel/license-payment/${id}/check`, { token })).status).toBe(403);
    }
    const list = await api.get('panel/license-payment?per_page=5', { token: admin });
    expect(list.body.data[0]).toMatchObject({ id, location: { name: 'Otel Mavi' } });
    expect(list.body.data[0].user.id).toBe(manager.id);
    const ids = (list.body.data as Body[]).map(it => it.id);
    expect(new Set(ids).size, 'each payment is listed once').toBe(ids.length);
    for (const wrong of [{ year: 4 }, { year: 0 }, {}, { year: 1, expected_end_at: 'soon' }])
      expect((await pay(wrong)).status).toBe(422);
  });

  test('send events to webhooks of the location', async () => {
    const hook = { type: 'webhook', url: 'https://example.com/', events: ['licence.paid', 'licence.refunded'] };
    const body = { name: 'CRM', location_id: location, integration_id: 'webhook', params: { connection: hook } };
    expect((await api.post('panel/integration', { token: admin, body })).status).toBe(201);
    const { id, url } = (await pay({ year: 1 })).body.data;
    await decide(url, 'pay');
    await refund(id);
    const told = await api.inTenant(tx =>
      tx.many<{ event: string }>(sql`select event from webhook_deliveries where location_id = ${location} order by id`),
    );
    expect(told.map(it => it.event)).toEqual(['licence.paid', 'licence.refunded']);
  });

  test('of an account that was deleted are not asked about any more', async () => {
    const { id, url } = (await pay({ year: 1 })).body.data;
    await decide(url, 'pay');
    expect(await checkAt(id)).not.toBeNull();
    // Those of other tests: an account stays known while somebody pays with it.
    await change(sql`update licence_payments set state = 'failed' where state = 'open'`);
    const [{ account }] = await rows<{ account: string }>(
      sql`select integration_id as account from licence_payments where id = ${id}`,
    );
    expect((await api.delete(`panel/integration/${account}`, { token: admin })).status).toBe(204);
    await runJobFor(id);
    expect(await checkAt(id)).toBeNull();
    expect((await refund(id)).status).toBe(422);
    expect((await payment(id)).state).toBe('paid');
    expect((await api.post('panel/integration', { token: admin, body: ownAccount })).status).toBe(201);
  });

  test('count also if the account was deleted meanwhile', async () => {
    const { id, url } = (await pay({ year: 1 })).body.data;
    const [{ account }] = await rows<{ account: string }>(
      sql`select integration_id as account from licence_payments where id = ${id}`,
    );
    expect((await api.delete(`panel/integration/${account}`, { token: admin })).status).toBe(204);
    await decide(url, 'pay');
    await runJobFor(id);
    expect((await payment(id)).state).toBe('paid');
    expect(Date.parse((await end())!)).toBeGreaterThan(Date.now());
    expect((await api.post('panel/integration', { token: admin, body: ownAccount })).status).toBe(201);
  });

  test('are requests again when the tenant switches them off', async () => {
    expect((await setTerms({ ...terms, is_active: false })).status).toBe(200);
    expect((await api.get(`panel/location/${location}/license-offer`, { token: manager.token })).body.data).toBeNull();
    expect((await pay({ year: 1 })).status).toBe(422);
    expect(
      (await api.post(`panel/location/${location}/license-request`, { token: manager.token, body: { year: 1 } }))
        .status,
    ).toBe(204);
  });
});
