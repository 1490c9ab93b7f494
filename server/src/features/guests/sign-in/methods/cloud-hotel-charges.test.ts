import sql from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import { cloudHotel, cloudSystems, eventually } from './testing/cloud-hotel.ts';

describe.each(cloudSystems)('charges to the rooms of a hotel at %s', name => {
  const hotel = cloudHotel(name);
  const { charges, charge } = hotel;

  /** The amounts that are added to the bill from now on. */
  const newOnBill = () => {
    const before = hotel.pms.bill.length;
    return () => hotel.pms.bill.slice(before).map(it => it.amount);
  };
  /** Each charge has its last state. One in doubt is 'sent' again while it is looked up, so one state alone says nothing. */
  const settled = () =>
    eventually(async () => {
      const open = (await charges()).filter(it => ['waiting', 'sent', 'unknown'].includes(it['state']));
      expect(open).toEqual([]);
    });

  test('come to the bill once, though the answer is lost, the way breaks and the system wants to wait', async () => {
    const amounts = newOnBill();
    const before = hotel.pms.bill.length;
    hotel.pms.loses = 1;
    hotel.pms.losesAfter = true;
    await charge('Ali Kaya', 3);
    await eventually(() => expect(amounts()).toEqual([1500]));
    await settled();
    expect(hotel.pms.bill.slice(before)).toMatchObject([
      { reservation: 'BBBB-1', amount: 1500, currency: 'EUR', text: 'Wi-Fi, 3 days' },
    ]);
    hotel.pms.loses = 2;
    hotel.pms.losesAfter = false;
    await charge('Ali Kaya', 1);
    await eventually(() => expect(amounts()).toEqual([1500, 500]));
    await settled();
    hotel.pms.refusesBooking = { status: 429, headers: { 'retry-after': '1' } };
    const sent = hotel.postings().length;
    await charge('Ali Kaya', 2);
    // It is sent again each second, so how often it was sent so far says nothing.
    await eventually(async () =>
      expect(await charges('waiting')).toMatchObject([{ answer: 'too_many_requests', amount: 1000 }]),
    );
    hotel.pms.refusesBooking = undefined;
    await eventually(() => expect(amounts()).toEqual([1500, 500, 1000]));
    await settled();
    const [refused, next] = hotel.postings().slice(sent);
    expect(next!.at - refused!.at, 'for as long as it says').toBeGreaterThanOrEqual(1000);
    expect(new Set(hotel.pms.bill.map(it => it.reference)).size).toBe(hotel.pms.bill.length);
    expect(amounts()).toEqual([1500, 500, 1000]);
  });

  test('are taken back with the sale', async () => {
    const amounts = newOnBill();
    await charge('Ali Kaya', 2);
    await eventually(() => expect(amounts()).toEqual([1000]));
    await settled();
    const [sale] = (await hotel.venue.api.get('panel/reports/sales', { token: hotel.venue.admin })).body.data;
    const reversed = await hotel.venue.api.post(`panel/reports/sales/${sale.id}/reverse`, {
      token: hotel.venue.admin,
      body: { days: 1, reason: 'Hata' },
    });
    expect(reversed.status, reversed.text).toBe(201);
    await eventually(() => expect(amounts()).toEqual([1000, -500]));
  });

  test('that are refused are not sent again by themselves', async () => {
    const amounts = newOnBill();
    hotel.pms.refusesBooking = {
      status: name === 'mews' ? 403 : 422,
      body: { Message: 'Bill closed', messages: ['Bill closed'] },
    };
    await charge('Ali Kaya', 1);
    await eventually(async () =>
      expect((await charges())[0]).toMatchObject({ state: 'refused', answer: 'Bill closed' }),
    );
    hotel.pms.refusesBooking = undefined;
    // Of two charges that are due, the older one is sent first.
    await hotel.venue.run(sql`update room_charges set next_at = now() where state = 'refused'`);
    await charge('Ali Kaya', 2);
    await eventually(() => expect(amounts()).not.toEqual([]));
    await settled();
    expect(amounts()).toEqual([1000]);
    const [refused] = await charges('refused');
    const answer = await hotel.venue.api.post(
      `panel/integration/${hotel.integration}/room-charges/${refused!['id']}/settle`,
      {
        token: hotel.venue.admin,
        body: { outcome: 'again' },
      },
    );
    expect(answer.status).toBe(200);
    await eventually(() => expect(amounts()).toEqual([1000, 500]));
  });

  test('go to a folio that takes them; a guest without one is refused', async () => {
    if (!('isMainClosed' in hotel.pms)) return;
    const amounts = newOnBill();
    Object.assign(hotel.pms, { isMainClosed: true, hasSecond: true });
    await charge('Ali Kaya', 1);
    await eventually(() => expect(amounts()).toEqual([500]));
    hotel.pms.hasSecond = false;
    await charge('Ali Kaya', 1);
    await eventually(async () =>
      expect((await charges())[0]).toMatchObject({ state: 'refused', answer: 'no open folio' }),
    );
    hotel.pms.isMainClosed = false;
  });

  test('are taken back on the folio that has them, also if it was moved or the answer is lost', async () => {
    if (!('isMainClosed' in hotel.pms)) return;
    const chargeOnSecond = async (days: number) => {
      Object.assign(hotel.pms, { isMainClosed: true, hasSecond: true });
      const before = hotel.pms.bill.length;
      await charge('Ali Kaya', days);
      await eventually(() => expect(hotel.pms.bill).toHaveLength(before + 1));
      await settled();
      Object.assign(hotel.pms, { isMainClosed: false });
      expect(hotel.pms.bill.at(-1)).toMatchObject({ folio: 'BBBB-1-2', amount: days * 500 });
    };
    const takeBack = async () => {
      const before = hotel.pms.bill.length;
      const [sale] = (await hotel.venue.api.get('panel/reports/sales', { token: hotel.venue.admin })).body.data;
      const body = { days: 1, reason: 'Hata' };
      const reversed = await hotel.venue.api.post(`panel/reports/sales/${sale.id}/reverse`, {
        token: hotel.venue.admin,
        body,
      });
      expect(reversed.status, reversed.text).toBe(201);
      await eventually(() => expect(hotel.pms.bill).toHaveLength(before + 1));
      return hotel.pms.bill.at(-1);
    };
    await chargeOnSecond(1);
    expect(await takeBack()).toMatchObject({ folio: 'BBBB-1-2', amount: -500 });
    // Reception moves the charge to the main folio.
    await chargeOnSecond(2);
    hotel.pms.bill.at(-1)!.folio = 'BBBB-1-1';
    expect(await takeBack()).toMatchObject({ folio: 'BBBB-1-1', amount: -500 });
    // The folio is learnt from the bill when the answer is lost; the receipt is not readable later.
    hotel.pms.loses = 1;
    hotel.pms.losesAfter = true;
    await chargeOnSecond(3);
    hotel.pms.hidesReceipts = true;
    expect(await takeBack()).toMatchObject({ folio: 'BBBB-1-2', amount: -500 });
    hotel.pms.hidesReceipts = false;
  });
});
