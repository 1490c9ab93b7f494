import { attribute, code } from '@portico/radius/attributes.ts';
import { openClient } from '@portico/radius/client.ts';
import { text } from '@portico/radius/encode.ts';
import { readText } from '@portico/radius/packet.ts';
import { afterAll, expect, test } from 'vitest';
import type { Body } from '#test/harness.ts';
import { startRadiusVenue } from '#test/radius-venue.ts';

const { api, token, location_id, radius, addDevice } = await startRadiusVenue();
const device = await addDevice();
const router = openClient({
  ...{ host: '127.0.0.1', port: radius.authPort, secret: Buffer.from(device.secret), timeoutMs: 2000 },
});
afterAll(() => router.close());

const password = 'parola1';
const signIn = async (username: string): Promise<string | undefined> => {
  const reply = await router.send({
    code: code['Access-Request'],
    password,
    attributes: [
      text(attribute['NAS-Identifier'], device.nas_identifier),
      text(attribute['User-Name'], username),
      text(attribute['Calling-Station-Id'], 'A0-00-00-00-00-07'),
    ],
  });
  if (!reply) throw new Error('RADIUS did not answer.');
  return reply.code === code['Access-Accept'] ? 'accepted' : readText(reply, attribute['Reply-Message']);
};
const profile = async (paid_days_from: 'first-use' | 'purchase'): Promise<string> =>
  (
    await api.post('panel/location/user-profile', {
      token,
      body: {
        name: paid_days_from,
        location_id,
        paid_days_from,
        paid_sale: { is_active: true, option: 'eur', value: 5 },
      },
    })
  ).body.data.id;
const reverse = async (id: string, days?: number) => {
  const sales: Body[] = (await api.get(`panel/client/${id}/sales`, { token })).body.data;
  const sale = sales.find(it => !it['reverses'] && it['reversed_days'] < it['days']);
  const body = { reason: 'Yanlış', ...(days && { days }) };
  const answer = await api.post(`panel/reports/sales/${sale?.['id']}/reverse`, { token, body });
  expect(answer.status, answer.text).toBe(201);
};
const sell = async (id: string, total_paid_day: number) => {
  const answer = await api.put(`panel/client/${id}`, { token, body: { total_paid_day } });
  expect(answer.status, answer.text).toBe(200);
};

test.for([
  ['first-use', 'before the first use'],
  ['first-use', 'after the first use'],
  ['purchase', 'before the first use'],
] as const)('a guest whose days from %s were reversed %s gets access with the next days', async ([from, when]) => {
  const username = `${from}-${when.split(' ')[0]}`;
  const form = { location_id, name: 'Ada', provider_type: 'username', username, password, total_paid_day: 2 };
  const made = await api.post('panel/client', { token, body: { ...form, profile_id: await profile(from) } });
  const { id } = made.body.data;
  if (when === 'after the first use') expect(await signIn(username)).toBe('accepted');
  await reverse(id);
  expect(await signIn(username)).toBe('Your access has ended.');
  await sell(id, 3);
  await reverse(id, 1);
  await sell(id, 4);
  expect(await signIn(username)).toBe('accepted');
  const { session_end_at, paid_end_at } = (await api.get(`panel/client/${id}`, { token })).body.data;
  expect(session_end_at).toBe(paid_end_at);
  expect((Date.parse(paid_end_at) - Date.now()) / 86_400_000).toBeCloseTo(4, 1);
});
