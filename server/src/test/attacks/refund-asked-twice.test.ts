import { beforeAll, expect, test, vi } from 'vitest';
import { buildPages, startCaptive } from '#features/guests/testing/captive.ts';
import { testProvider } from '#features/integrations/payment/test-provider.ts';
import { IntegrationError } from '#features/integrations/public.ts';
import { afterFile } from '../after-file.ts';
import { startApi, type TestApi } from '../harness.ts';

/**
 * The attack: a refund is asked for again while the provider still answers the first request. It pays back by one of them and
 * refuses the other. If the refusal counted, the money would be back and the licence would stay.
 */

let api: TestApi;
let captive: Awaited<ReturnType<typeof startCaptive>>;
let admin: string;
let location: string;
beforeAll(async () => {
  api = await startApi({ CAPTIVE_URL: 'http://guests.example' });
  captive = await startCaptive(api, await buildPages());
  afterFile(() => captive.close());
  afterFile(() => vi.restoreAllMocks());
  admin = (await api.user('tenant-admin')).token;
  location = await api.location(admin, 'Otel');
  const connection = { type: 'test-payment' };
  const account = { name: 'Tenant', integration_id: 'test-payment', location_id: null, params: { connection } };
  await api.post('panel/integration', { token: admin, body: account });
  const terms = { is_active: true, price: 12_000, currency: 'eur', tax_rate: 2000 };
  await api.put('panel/license-terms', { token: admin, body: terms });
}, 120_000);

const post = (at: string, body: object = {}) => api.post(at, { token: admin, body });
const licence = async () => (await api.get(`panel/location/${location}`, { token: admin })).body.data.license_end_at;

test('the licence ends with the payment, although a refusal comes first; twenty requests are one', async () => {
  const begun = await Promise.all(
    Array.from({ length: 20 }, () => post(`panel/location/${location}/license-payment`, { year: 1 })),
  );
  const ids = new Set(begun.map(it => it.body.data.id));
  expect(ids.size).toBe(1);
  const [id] = ids;
  const paid = await captive.post(new URL(begun[0]!.body.data.url).pathname, { decide: 'pay' });
  const back = new URL(paid.headers.get('location')!).pathname;
  await Promise.all(Array.from({ length: 20 }, () => captive.get(back)));
  const end = Date.parse(await licence());
  expect(end).toBeLessThan(Date.now() + 367 * 86_400_000);

  let checked: Promise<unknown> | undefined;
  const { confirm, refund } = testProvider;
  // iyzico does not tell that a payment was refunded.
  vi.spyOn(testProvider, 'confirm').mockImplementation(async (at, order) => ({
    ...(await confirm(at, order)),
    refunded: 0,
  }));
  vi.spyOn(testProvider, 'refund').mockImplementation(async (at, order) => {
    if (checked) throw new IntegrationError('refused', 'being paid back');
    checked = post(`panel/license-payment/${id}/check`);
    const done = await refund(at, order);
    await checked;
    return done;
  });
  const answer = await post(`panel/license-payment/${id}/refund`, { reason: 'By mistake' });
  expect([answer.status, answer.body.data.state]).toEqual([200, 'refunded']);
  expect(Date.parse(await licence())).toBeLessThanOrEqual(Date.now());
});
