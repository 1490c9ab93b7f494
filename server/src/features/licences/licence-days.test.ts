import { yearsAfter } from '@portico/contract/licence-days.ts';
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { startApi, type TestApi } from '#test/harness.ts';

/** A licence is valid through its last day in the time zone of its location. */

let api: TestApi;
let token: string;
let places: Map<string, string>;
// Zones whose clocks change at midnight, across midnight, by half an hour or never.
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

/** The local time of a zone, such as `2026-11-21 23:59:59`. */
function clock(at: number, timeZone: string): string {
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const;
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, ...parts, second: '2-digit' });
  return format.format(at);
}

/** The last second of a local day. */
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
const dayMs = 86_400_000;
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
/** Future days: around clock changes, at the ends of February and of years, and others. */
function daysOf(zone: string): string[] {
  const offset = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
  const shownAt = (at: number) => offset.formatToParts(at).find(part => part.type === 'timeZoneName')!.value;
  const today = Math.floor(Date.now() / dayMs) * dayMs;
  const coming = Array.from({ length: 800 }, (_, n) => today + (n + 2) * dayMs);
  const changes = coming.filter(at => shownAt(at) !== shownAt(at + dayMs));
  const ends = coming.map(dayOf).filter(day => /02-2[89]|12-31/.test(day));
  return [
    ...changes.flatMap(at => [dayOf(at), dayOf(at + dayMs)]),
    ...ends,
    ...Array.from({ length: 12 }, () => dayOf(any(coming))),
  ];
}

describe('a licence until a day', () => {
  test.each(zones)('holds through it, and years go on from it: %s', async zone => {
    const place = places.get(zone)!;
    for (const day of daysOf(zone)) {
      expectEndOf(day, await license(place, { license_end_at: day }), zone, day);
      const years = any([1, 2, 3]);
      const what = `${day} and ${years} years`;
      expectEndOf(yearsAfter(day, years), await license(place, { year: years }), zone, what);
    }
  });

  test('ends in the time zone of each location, if several are licensed together', async () => {
    const ids = [...places.values()];
    const leapDay = `${Math.ceil((new Date().getUTCFullYear() + 1) / 4) * 4}-02-29`;
    for (const body of [{ license_end_at: leapDay }, { year: 1 }]) {
      const done = await api.post('panel/location/licenses', { token, body: { ids, ...body } });
      expect(done.body.data).toEqual({ licensed: ids.length });
      for (const [zone, id] of places) {
        const { license_end_at } = (await api.get(`panel/location/${id}`, { token })).body.data;
        expectEndOf('year' in body ? yearsAfter(leapDay, 1) : leapDay, license_end_at, zone, zone);
      }
    }
  });

  test('can end at a time, which is local to the location unless it has an offset', async () => {
    const place = places.get('Asia/Tehran')!;
    for (const [named, meant] of [
      ['2047-05-01T10:00:00Z', '2047-05-01T10:00:00Z'],
      ['2047-05-01T10:00:00+03:00', '2047-05-01T07:00:00Z'],
      ['2047-05-01 10:00', '2047-05-01T06:30:00Z'],
      ['2047-05-01T10:00:30', '2047-05-01T06:30:30Z'],
    ] as const)
      expect(Date.parse(await license(place, { license_end_at: named })), named).toBe(Date.parse(meant));
    expect(Date.parse(await license(place, { year: 1 })), 'a year later').toBe(Date.parse('2048-05-01T06:30:30Z'));
  });

  test('is valid on that day, but not on the next', async () => {
    // A zone in which it is about noon, so that no day ends during the test.
    const zone = Intl.supportedValuesOf('timeZone').find(it =>
      ['11', '12'].includes(clock(Date.now(), it).slice(11, 13)),
    )!;
    const place = await api.location(token, 'Öğlen');
    expect((await api.put(`panel/location/${place}`, { token, body: { time_zone: zone } })).status).toBe(200);
    const day = (days: number) => clock(Date.now() + days * dayMs, zone).slice(0, 10);
    await api.inTenant(tx =>
      tx.run(sql`update locations set trial_end_at = now() - interval '9 days' where id = ${place}`),
    );
    for (const [end, filter] of [
      [day(0), 'active'],
      [day(-1), 'suspended'],
    ] as const) {
      await api.inTenant(tx =>
        tx.run(sql`update locations set license_end_at = end_of_day(${end}::date, time_zone) where id = ${place}`),
      );
      const listed = await api.get(`panel/location?per_page=9999&license=${filter}`, { token });
      expect(listed.body.data.map((it: { id: string }) => it.id)).toContain(place);
    }
  });
});

test('years of a device are added to its licence in the time zone of its location', async () => {
  const brand = (await api.get('panel/device/brands', { token })).body.data[0].id;
  for (const [n, [zone, place]] of [...places].entries()) {
    const mac_address = `02:AA:00:00:00:${String(n).padStart(2, '0')}`;
    const body = { brand_id: brand, name: zone, mac_address, location_id: place };
    const { id } = (await api.post('panel/device', { token, body })).body.data;
    const had = new Date(Date.parse(`${any(daysOf(zone))}T00:00:00Z`) + Math.floor(Math.random() * 86_400) * 1000);
    await api.inTenant(tx => tx.run(sql`update devices set license_end_at = ${had} where id = ${id}`));
    const years = any([1, 2, 3]);
    const { license_end_at, time_zone } = (
      await api.post(`panel/device/${id}/license`, { token, body: { year: years } })
    ).body.data;
    expect(time_zone).toBe(zone);
    const last = yearsAfter(clock(had.getTime(), zone).slice(0, 10), years);
    const [day, time] = clock(Date.parse(license_end_at), zone).split(' ') as [string, string];
    const what = `${had.toISOString()} and ${years} years in ${zone}`;
    expect(day, what).toBe(last);
    // When clocks jump ahead, the day is at most an hour shorter.
    const minutes = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5));
    expect([0, 30, 60], what).toContain(minutes(time) - minutes(clock(had.getTime(), zone).slice(11)));
  }
});
