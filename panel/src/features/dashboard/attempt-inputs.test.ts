import { describe, expect, it } from 'vitest';
import { isMethod, typedIn } from '#features/dashboard/attempt-inputs.ts';

const typed = (provider_slug: string, params: Record<string, string>) =>
  typedIn({ provider_slug, params }).map(({ input, name, value, day }) => [input ?? name, day ?? value]);

describe('what a guest typed', () => {
  it('names the number of a room guest and of a citizen by what their forms ask for', () => {
    expect(typed('room-number', { id_number: 'U123', room_number: '101' })).toEqual([
      ['room_number', '101'],
      ['id_number', 'U123'],
    ]);
    expect(typed('room-number', { idNumber: 'U123' })).toEqual([['id_number', 'U123']]);
    expect(typed('citizen-id', { first_name: 'Ali', provider_id: '10000000146' })).toEqual([
      ['citizen_id', '10000000146'],
      ['first_name', 'Ali'],
    ]);
  });

  it('shows dates as days, and other values unchanged', () => {
    expect(typedIn({ provider_slug: 'room-number', params: { birth_date: '1980-05-06' } })[0]?.day).toBe('1980-05-06');
    expect(typedIn({ provider_slug: 'room-number', params: { birth_date: '06.05.1980' } })[0]?.day).toBe('1980-05-06');
    for (const value of ['••••••••', '1980-02-31', 'May'])
      expect(typedIn({ provider_slug: 'room-number', params: { birth_date: value } })[0]?.day).toBeUndefined();
  });

  it('leaves out what was not filled in, and keeps unknown fields at the end', () => {
    expect(typed('username', { colour: 'red', password: '••••••••', username: '' })).toEqual([
      ['password', '••••••••'],
      ['colour', 'red'],
    ]);
  });

  it('knows every sign-in method', () => {
    expect(['room-number', 'username', 'citizen-id', 'sms', 'temp', 'email', 'voucher'].every(isMethod)).toBe(true);
    expect(isMethod('toString')).toBe(false);
    expect(typed('voucher', { code: '••••••••' })).toEqual([['code', '••••••••']]);
  });
});
