import { expect, test } from 'vitest';
import { httpsLink, timing, timingProblem } from './timing.ts';

const always = { starts_on: null, ends_on: null, weekdays: null, from_time: null, to_time: null };
const read = (sent: object) => timing.safeParse(sent);
const fieldOf = (sent: object) => read(sent).error?.issues[0]?.path[0];

test('nothing chosen, empty and null are always', () => {
  for (const sent of [{}, { starts_on: '', ends_on: '', from_time: '', to_time: '' }, always])
    expect(read(sent).data).toEqual(always);
});

test('days, weekdays and times are read, each weekday once and in order', () => {
  const sent = {
    starts_on: '2026-02-28',
    ends_on: '2026-03-01',
    weekdays: [7, 1, 7],
    from_time: '00:00',
    to_time: '23:59',
  };
  expect(read(sent).data).toEqual({ ...sent, weekdays: [1, 7] });
});

test.each([
  ['starts_on', '2026-02-30'],
  ['ends_on', '28.02.2026'],
  ['weekdays', []],
  ['weekdays', [0]],
  ['weekdays', [8]],
  ['weekdays', Array(51).fill(1)],
  ['from_time', '24:00'],
  ['from_time', '9:00'],
  ['from_time', '109:00'],
  ['to_time', '12:60'],
  ['to_time', '12:000'],
])('%s cannot be %j', (field, value) => expect(fieldOf({ [field]: value })).toBe(field));

test.each([
  [{ starts_on: '2026-01-02', ends_on: '2026-01-01' }, ['ends_on', 'after_start']],
  [{ starts_on: '2026-01-02', ends_on: '2026-01-02' }, undefined],
  [{ ends_on: '2026-01-01' }, undefined],
  [{ starts_on: '2026-01-01' }, undefined],
  [{ from_time: '10:00' }, ['to_time', 'required']],
  [{ to_time: '10:00' }, ['from_time', 'required']],
  [{ from_time: '10:00', to_time: '10:00' }, ['to_time', 'other_time']],
  [{ from_time: '22:00', to_time: '02:00' }, undefined],
  [{}, undefined],
] as const)('the problem of %j is %j', (chosen, problem) =>
  expect(timingProblem({ ...always, ...chosen })).toEqual(problem),
);

test('a link is one of https with a host name', () => {
  expect(httpsLink.parse(' https://a.example/b ')).toBe('https://a.example/b');
  for (const wrong of ['http://a.example', 'https://', 'https://localhost', 'xhttps://a.example', 'javascript:x', ''])
    expect(httpsLink.safeParse(wrong).error?.issues.at(-1)?.message, wrong).toBe('https_link');
  for (const withUser of ['https://user:pw@a.example', 'https://bank.example@a.example', 'https://:pw@a.example'])
    expect(
      httpsLink.safeParse(withUser).error?.issues.map(it => it.message),
      withUser,
    ).toEqual(['link_user']);
  expect(httpsLink.safeParse(`https://a.example/${'x'.repeat(2000)}`).success).toBe(false);
});
