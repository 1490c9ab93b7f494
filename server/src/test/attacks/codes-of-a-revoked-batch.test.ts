import { beforeAll, expect, test } from 'vitest';
import { newGuestEachTest, startVenue, type Venue } from '#features/guests/testing/venue.ts';
import type { Body } from '#test/harness.ts';

/**
 * The attack: the codes of a batch were copied, so its manager revokes the batch. A clerk at the desk goes on making new codes of it.
 */

let venue: Venue;
let clerk: string;
beforeAll(async () => {
  venue = await startVenue();
  const { location } = venue;
  clerk = (await venue.api.user('member', { location, permissions: ['store-vouchers'] })).token;
}, 120_000);
newGuestEachTest(() => venue);

const base = 'panel/voucher-batch';
const atDesk = (): Promise<Body> =>
  venue.create(base, {
    ...{ name: 'Günlük', location_id: venue.location, count: 2, at_desk: true, price: 500, currency: 'eur' },
    valid_for: { is_active: true, option: 'day', value: 1 },
  });
const issue = (batch: Body, count = 1) =>
  venue.api.post(`${base}/${batch.id}/issue`, { token: clerk, body: { count } });
const revoke = async (batch: Body, body: object = { all: true }): Promise<Body> => {
  const answer = await venue.api.post(`${base}/${batch.id}/revoke`, { token: venue.admin, body });
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data;
};
const offered = async (): Promise<string[]> =>
  (await venue.api.get('panel/voucher-desk', { token: clerk })).body.data.batches.map((it: Body) => it.id);

test('the desk makes no more codes of a batch that was revoked as a whole, until it is put there again', async () => {
  const batch = await atDesk();
  expect((await issue(batch)).status).toBe(201);
  expect(await revoke(batch)).toMatchObject({ revoked: 3, left: 0, at_desk: false });
  const refused = await issue(batch);
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['count']]);
  expect(await offered()).not.toContain(batch.id);
  await venue.update(`${base}/${batch.id}`, { at_desk: true });
  expect((await issue(batch)).status).toBe(201);
});

test('single codes are revoked without closing the desk', async () => {
  const batch = await atDesk();
  const made = (await issue(batch)).body.data[0];
  expect(await revoke(batch, { voucher_ids: [made.id] })).toMatchObject({ revoked: 1, at_desk: true });
  expect(await offered()).toContain(batch.id);
});

test('no code is left of a batch that is revoked while the desk hands out', async () => {
  const batch = await atDesk();
  await Promise.all([issue(batch, 5), issue(batch, 5), revoke(batch), issue(batch, 5), issue(batch, 5)]);
  const { body } = await venue.api.get(`${base}/${batch.id}`, { token: venue.admin });
  expect(body.data).toMatchObject({ left: 0, at_desk: false });
});
