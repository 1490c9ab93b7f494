import sql from 'sql-template-tag';
import { describe, expect, onTestFinished, test } from 'vitest';
import { cloudPace } from '../../../integrations/cloud/pace.ts';
import { apaleoProperty } from '../../../integrations/testing/apaleo-pms.ts';
import { cloudHotel, cloudSystems, eventually } from './testing/cloud-hotel.ts';

describe.each(cloudSystems)('a hotel system at %s', name => {
  const hotel = cloudHotel(name);
  const { hold, shown, guests, present, rereads } = hotel;

  test.each([
    ['is away', 'silence'],
    ['answers garbage', 'garbage'],
    ['fails', { status: 500, body: { Message: 'Unexpected' } }],
    ['refuses the token', { status: 401, body: {} }],
    ['answers with another shape', { status: 200, body: { Reservations: [{ Id: 7 }], reservations: 'all', count: 1 } }],
  ] as const)('that %s changes nothing, is reported, and is read again afterwards', async (_words, instead) => {
    const before = await guests();
    hotel.pms.instead = instead;
    await eventually(async () => expect((await shown()).last_error).not.toBeNull());
    expect((await shown()).link.state).toBe('connecting');
    expect(await guests()).toEqual(before);
    hotel.pms.instead = undefined;
    await eventually(async () => expect((await shown()).last_error).toBeNull());
    expect(await guests()).toEqual(before);
  });

  test('that wants fewer requests gets none for as long as it says', async () => {
    hotel.pms.instead = { status: 429, body: {}, headers: { 'retry-after': '2' } };
    const at = hotel.pms.heard.length;
    await eventually(() => expect(hotel.pms.heard.length).toBeGreaterThan(at));
    hotel.pms.instead = undefined;
    await rereads();
    const [refused, next] = hotel.pms.heard.slice(at);
    expect(next!.at - refused!.at).toBeGreaterThanOrEqual(2000);
    expect((await shown()).last_error).toBeNull();
  });

  test('that suddenly has no guests is not believed', async () => {
    const before = await guests();
    const kept = [...hotel.pms.bookings];
    hotel.pms.bookings.clear();
    await rereads();
    expect(await guests()).toEqual(before);
    for (const [id, it] of kept) hotel.pms.bookings.set(id, it);
  });

  test('is read with a new token when the old one ended', async () => {
    if (!('tokens' in hotel.pms)) return;
    for (const token of hotel.pms.tokens) hotel.pms.ended.add(token);
    await rereads();
    expect((await shown()).last_error).toBeNull();
    expect(hotel.pms.tokens.size).toBeGreaterThan(1);
  });

  test('whose list changes between two pages is read again, and loses no guest', async () => {
    if (!('afterPage' in hotel.pms)) return;
    const before = await present();
    const usual = hotel.pms.perPage;
    hotel.pms.perPage = 200;
    const filler = Array.from({ length: 200 }, (_, n) => `0${n}`);
    const kept = [...hotel.pms.bookings];
    hotel.pms.bookings.clear();
    for (const id of filler)
      hotel.pms.bookings.set(id, { id, room: `8${id}`, people: [{ first: 'A', last: `B${id}` }], from: 0, to: 1 });
    for (const [id, it] of kept) hotel.pms.bookings.set(id, it);
    let times = 0;
    hotel.pms.afterPage = page => {
      if (page === 1 && times++ === 0) hotel.pms.bookings.delete('00');
    };
    await eventually(async () => expect((await present()).length).toBe(203));
    expect(times).toBeGreaterThan(1);
    hotel.pms.afterPage = undefined;
    for (const id of filler) hotel.pms.bookings.delete(id);
    await eventually(async () => expect((await present()).length).toBe(4));
    expect(await present()).toEqual(before);
    hotel.pms.perPage = usual;
  }, 60_000);

  test('that belongs to another place is not read', async () => {
    if (!('property' in hotel.pms)) return;
    const before = await guests();
    hotel.pms.property = 'BER';
    await eventually(async () => expect((await shown()).last_error).toContain('property'));
    expect(await guests()).toEqual(before);
    hotel.pms.property = apaleoProperty;
    await eventually(async () => expect((await shown()).last_error).toBeNull());
  });

  test('that does not answer holds no other link up when its settings change', async () => {
    const { answerMs } = cloudPace;
    // Longer than this test may take: a request that is waited for does not end by itself.
    cloudPace.answerMs = 600_000;
    onTestFinished(() => void (cloudPace.answerMs = answerMs));
    const at = hotel.pms.heard.length;
    hotel.pms.instead = 'hang';
    await eventually(() => expect(hotel.pms.heard.length).toBeGreaterThan(at));
    hotel.pms.givenUp = 0;
    await hotel.venue.run(sql`update integrations set updated_at = now() where id = ${hotel.integration}`);
    await hold();
    await eventually(() => expect(hotel.pms.givenUp).toBeGreaterThan(0));
    await hotel.venue.run(sql`update integrations set updated_at = now() where id = ${hotel.integration}`);
    hotel.pms.instead = undefined;
    await rereads();
    expect((await shown()).last_error).toBeNull();
  });
});
