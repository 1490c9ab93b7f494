import { yearsAfter } from '@portico/contract/licence-days.ts';
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { startApi, type TestApi } from '#test/harness.ts';

/** A licence holds through the last day that was named, by the clocks of its location. */

let api: TestApi;
let token: string;
let places: Map<string, string>;
// Clocks that change at midnight, set it back across midnight, change by half an hour, or never do.
const zones = [
  ...['Europe/Istanbul', 'UTC', 'America/Havana', 'Atlantic/Azores', 'America/Santiago', 'America/New_York'],
  ...['Australia/Lord_Howe', 'Asia/Tehran', 'Pacific/Auckland', 'Pacific/Kiritimati', 'Pacific/Pago_Pago'],
];
beforeAll(async () => {
  api = await startApi();
  token = (await api.user('tenant-admin')).token;
  places = new Map();
  for (const zone of zones) {
    const id = await api.location(token, zone);
    expect((await api.put(`panel/location/${id}`, { token, body: { time_zone: zone } })).status).toBe(200);
    places.set(zone, id);
  }
});

/** What the clocks of a zone show, as `2026-11-21 23:59:59`. */
function clock(at: number, timeZone: string): string {
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const;
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, ...parts, second: '2-digit' });
  return format.format(at);
}

/** The last second of a day: no later one shows that day. */
function expectEndOf(day: string, end: string, zone: string, what: string): void {
  expect(clock(Date.parse(end), zone).slice(0, 10), what).toBe(day);
  for (const later of [1000, 1_800_000, 3_600_000])
    expect(clock(Date.parse(end) + later, zone).slice(0, 10) > day, `${what} and ${later} ms`).toBe(true);
}

const license = async (place: string, body: object) => {
  const answer = await api.post(`panel/location/${place}/license`, { token, body });
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data.license_end_at as string;
};
const any = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)]!;
const anyDay = (): string =>
  new Date(Date.UTC(2027, 0, 1) + Math.floor(Math.random() * 365 * 8) * 86_400_000).toISOString().slice(0, 10);
/** The days around which the clocks of these zones change, and the ends of months, beside any others. */
const days = [
  ...['2027-02-28', '2028-02-29', '2026-12-31', '2027-03-13', '2027-03-14', '2027-10-30', '2027-10-31', '2027-11-06'],
  ...['2027-11-07', '2027-09-04', '2027-09-05', '2027-04-03', '2028-10-28', '2028-11-04', '2028-03-25'],
  ...Array.from({ length: 15 }, anyDay),
];

describe('a licence until a day', () => {
  test.each(zones)('holds through it, and years go on from it: %s', async zone => {
    const place = places.get(zone)!;
    for (const day of days) {
      expectEndOf(day, await license(place, { license_end_at: day }), zone, day);
      const years = any([1, 2, 3]);
      const what = `${day} and ${years} years`;
      expectEndOf(yearsAfter(day, years), await license(place, { year: years }), zone, what);
    }
  });

  test('is that of each one’s own clocks, where several are licensed together', async () => {
    const ids = [...places.values()];
    for (const body of [{ license_end_at: '2028-02-29' }, { year: 1 }]) {
      const done = await api.post('panel/location/licenses', { token, body: { ids, ...body } });
      expect(done.body.data).toEqual({ licensed: ids.length });
      for (const [zone, id] of places) {
        const { license_end_at } = (await api.get(`panel/location/${id}`, { token })).body.data;
        expectEndOf('year' in body ? '2029-02-28' : '2028-02-29', license_end_at, zone, zone);
      }
    }
  });

  test('is a moment where one is named, of the location’s clocks unless it says otherwise', async () => {
    const place = places.get('Asia/Tehran')!;
    for (const [named, meant] of [
      ['2027-05-01T10:00:00Z', '2027-05-01T10:00:00Z'],
      ['2027-05-01T10:00:00+03:00', '2027-05-01T07:00:00Z'],
      ['2027-05-01 10:00', '2027-05-01T06:30:00Z'],
      ['2027-05-01T10:00:30', '2027-05-01T06:30:30Z'],
    ] as const)
      expect(Date.parse(await license(place, { license_end_at: named })), named).toBe(Date.parse(meant));
    // Years end with a day, whatever moment they follow.
    expectEndOf('2028-05-01', await license(place, { year: 1 }), 'Asia/Tehran', 'a year after a moment');
  });

  test('is in service on that day, and not on the next', async () => {
    // A zone in which it is about noon, so that no day ends meanwhile.
    const zone = Intl.supportedValuesOf('timeZone').find(it =>
      ['11', '12'].includes(clock(Date.now(), it).slice(11, 13)),
    )!;
    const place = await api.location(token, 'Öğlen');
    expect((await api.put(`panel/location/${place}`, { token, body: { time_zone: zone } })).status).toBe(200);
    const day = (days: number) => clock(Date.now() + days * 86_400_000, zone).slice(0, 10);
    await api.inTenant(tx =>
      tx.run(sql`update locations set trial_end_at = now() - interval '9 days' where id = ${place}`),
    );
    for (const [end, filter] of [
      [day(0), 'active'],
      [day(-1), 'suspended'],
    ] as const) {
      await license(place, { license_end_at: end });
      const listed = await api.get(`panel/location?per_page=9999&license=${filter}`, { token });
      expect(listed.body.data.map((it: { id: string }) => it.id)).toContain(place);
    }
  });
});

test('years of a device end with a day of its location, after what it had', async () => {
  const brand = (await api.get('panel/device/brands', { token })).body.data[0].id;
  for (const [n, [zone, place]] of [...places].entries()) {
    const mac_address = `02:AA:00:00:00:${String(n).padStart(2, '0')}`;
    const body = { brand_id: brand, name: zone, mac_address, location_id: place };
    const { id } = (await api.post('panel/device', { token, body })).body.data;
    const had = new Date(Date.parse(`${any(days)}T00:00:00Z`) + Math.floor(Math.random() * 86_400) * 1000);
    await api.inTenant(tx => tx.run(sql`update devices set license_end_at = ${had} where id = ${id}`));
    const years = any([1, 2, 3]);
    const { license_end_at, time_zone } = (
      await api.post(`panel/device/${id}/license`, { token, body: { year: years } })
    ).body.data;
    expect(time_zone).toBe(zone);
    const last = yearsAfter(clock(had.getTime(), zone).slice(0, 10), years);
    expectEndOf(last, license_end_at, zone, `${had.toISOString()} and ${years} years in ${zone}`);
  }
});
