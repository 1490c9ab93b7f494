import { expect, test } from 'vitest';
import { createSecrets } from '#lib/secrets.ts';
import { boughtSeconds, type GuestState, packState, stateSeconds, unpackState } from './guest-state.ts';

const secrets = createSecrets('a key for the tests, long enough');
const visit = { nas: 'nas', mac: 'A0:00:00:00:00:01', ip: '10.0.0.9', login: 'http://router/login', orig: '' };
const now = Date.parse('2026-11-25T12:00:00Z');
const later = (seconds: number) => now + seconds * 1000;

const states: [GuestState, number][] = [
  [{ step: 'sign-in', visit }, stateSeconds],
  [{ step: 'data-mail', visit, visitor: 'v' }, 7 * 86_400],
  [{ step: 'bought', visit, purchase: 'p' }, boughtSeconds],
];

test.each(states)('the state of a guest is valid for its time and not longer: $step', (state, seconds) => {
  const text = packState(secrets, state, now);
  expect(unpackState(secrets, state.step, text, later(seconds))).toEqual(state);
  expect(unpackState(secrets, state.step, text, later(seconds + 1))).toBeUndefined();
});

test('the state of one step is none of another, nor is one that was changed or signed with another key', () => {
  const text = packState(secrets, { step: 'sign-in', visit }, now);
  expect(unpackState(secrets, 'online', text, now)).toBeUndefined();
  const [payload, signature] = text.split('.');
  const other = Buffer.from(JSON.stringify(['other', visit.mac, visit.ip, visit.login, '', now / 1000, null]));
  for (const wrong of [`${other.toString('base64url')}.${signature}`, `${payload}.`, `${payload}`, ''])
    expect(unpackState(secrets, 'sign-in', wrong, now)).toBeUndefined();
  expect(unpackState(createSecrets('another key, also long enough'), 'sign-in', text, now)).toBeUndefined();
});
