import { describe, expect, test } from 'vitest';
import { localClock, overlaps, periodState } from './period-days.ts';
import { portalPeriods } from './portal-periods.ts';
import type { Timing } from './timing.ts';

const when = (it: Partial<Timing>): Timing => ({
  starts_on: null,
  ends_on: null,
  weekdays: null,
  from_time: null,
  to_time: null,
  ...it,
});

describe('two periods', () => {
  test('overlap if they run at the same moment once', () => {
    const [fair, summer] = [{ starts_on: '2026-12-01', ends_on: '2026-12-05' }, { starts_on: '2026-12-05' }];
    for (const [a, b, expected] of [
      [fair, summer, true],
      [fair, { starts_on: '2026-12-06' }, false],
      [fair, { ends_on: '2026-11-30' }, false],
      [{ weekdays: [6, 7] }, { weekdays: [1] }, false],
      [{ weekdays: [6, 7] }, { weekdays: [7] }, true],
      [{ from_time: '18:00', to_time: '22:00' }, { from_time: '22:00', to_time: '23:00' }, false],
      [{ from_time: '18:00', to_time: '22:01' }, { from_time: '22:00', to_time: '23:00' }, true],
      // Friday night reaches into Saturday.
      [{ weekdays: [5], from_time: '22:00', to_time: '03:00' }, { weekdays: [6] }, true],
      [
        { weekdays: [5], from_time: '22:00', to_time: '03:00' },
        { weekdays: [6], from_time: '03:00', to_time: '05:00' },
        false,
      ],
      [{ ends_on: '2026-12-05', from_time: '22:00', to_time: '03:00' }, { starts_on: '2026-12-06' }, true],
      [{ ends_on: '2026-12-05', from_time: '22:00', to_time: '00:00' }, { starts_on: '2026-12-06' }, false],
      // 5 December 2026 is a Saturday; both go on until it at least.
      [{ ends_on: '2026-12-05', weekdays: [6] }, { ends_on: '2026-12-20', weekdays: [6] }, true],
      [{ ends_on: '2026-12-05', weekdays: [6] }, { ends_on: '2026-12-20', weekdays: [7] }, false],
      // One begins long after the other, or both ended long ago.
      [{ starts_on: '2026-12-01' }, { starts_on: '2027-03-01' }, true],
      [{ ends_on: '2023-06-05' }, { ends_on: '2023-06-20' }, true],
      [{ ends_on: '2023-06-05' }, {}, true],
      // No Monday is in these days.
      [{ ...fair, weekdays: [1] }, { starts_on: '2026-12-01', ends_on: '2026-12-06' }, false],
    ] as const) {
      const [first, second] = [when(a as Partial<Timing>), when(b as Partial<Timing>)];
      expect(overlaps(first, second), JSON.stringify([a, b])).toBe(expected);
      expect(overlaps(second, first), JSON.stringify([b, a])).toBe(expected);
    }
  });

  test('are refused at the field of the second', () => {
    const portal_id = '0193d1a0-0000-7000-8000-000000000001';
    const fieldOf = (...list: object[]) => {
      const { success, error } = portalPeriods.safeParse(list.map(it => ({ portal_id, ...it })));
      return success ? undefined : `${error.issues[0]!.path.join('.')}: ${error.issues[0]!.message}`;
    };
    expect(fieldOf({})).toBe('0.starts_on: required');
    expect(fieldOf({ from_time: '18:00' })).toBe('0.to_time: required');
    expect(fieldOf({ starts_on: '2026-12-02', ends_on: '2026-12-01' })).toBe('0.ends_on: after_start');
    expect(fieldOf({ weekdays: [1] }, { weekdays: [2] }, { weekdays: [2, 3] })).toBe('2.weekdays: period_overlaps');
    expect(fieldOf({ weekdays: [1] }, { starts_on: '2026-12-01' })).toBe('1.starts_on: period_overlaps');
    expect(fieldOf({ weekdays: [1] }, { weekdays: [2] })).toBeUndefined();
  });
});

describe('a period', () => {
  test('tells whether it runs, until when, and when it begins', () => {
    // 24 December 2026 is a Thursday.
    const at = '2026-12-24T12:00';
    for (const [it, expected] of [
      [
        { starts_on: '2026-12-20', ends_on: '2026-12-26' },
        { now: true, until: '2026-12-27T00:00', next: null },
      ],
      [{ starts_on: '2027-03-01' }, { now: false, until: null, next: '2027-03-01T00:00' }],
      [{ ends_on: '2026-12-23' }, { now: false, until: null, next: null }],
      [{ starts_on: '2026-12-20' }, { now: true, until: null, next: null }],
      // Years away from now.
      [{ starts_on: '2020-01-01' }, { now: true, until: null, next: null }],
      [{ starts_on: '2028-06-01' }, { now: false, until: null, next: '2028-06-01T00:00' }],
      [{ weekdays: [4, 5] }, { now: true, until: '2026-12-26T00:00', next: '2026-12-31T00:00' }],
      [{ weekdays: [1] }, { now: false, until: null, next: '2026-12-28T00:00' }],
      [
        { from_time: '11:00', to_time: '13:00' },
        { now: true, until: '2026-12-24T13:00', next: '2026-12-25T11:00' },
      ],
      [
        { from_time: '11:00', to_time: '12:00' },
        { now: false, until: null, next: '2026-12-25T11:00' },
      ],
      [
        { from_time: '12:00', to_time: '13:00' },
        { now: true, until: '2026-12-24T13:00', next: '2026-12-25T12:00' },
      ],
      [
        { ends_on: '2026-12-24', from_time: '11:00', to_time: '13:00' },
        { now: true, until: '2026-12-24T13:00', next: null },
      ],
      [
        { from_time: '18:00', to_time: '12:30' },
        { now: true, until: '2026-12-24T12:30', next: '2026-12-24T18:00' },
      ],
      [
        { from_time: '12:01', to_time: '12:02' },
        { now: false, until: null, next: '2026-12-24T12:01' },
      ],
    ] as const)
      expect(periodState(when(it as Partial<Timing>), at), JSON.stringify(it)).toEqual(expected);
  });

  test('goes by the clocks of the location', () => {
    expect(localClock('Asia/Tokyo', Date.parse('2026-12-24T20:30Z'))).toBe('2026-12-25T05:30');
    expect(localClock('America/New_York', Date.parse('2026-12-24T03:00Z'))).toBe('2026-12-23T22:00');
  });
});
