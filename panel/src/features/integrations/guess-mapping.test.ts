import { expect, test } from 'vitest';
import { guessMapping } from './guess-mapping.ts';

test('knows the columns of Turkish tables, with and without Turkish letters', () => {
  expect(
    guessMapping(['Adı', 'Soyadı', 'Doğum', 'Giriş_Tarihi', 'ÇIKIŞ', 'Oda No', 'TC Kimlik No'], undefined),
  ).toMatchObject({
    firstname: 'Adı',
    lastname: 'Soyadı',
    birth_date: 'Doğum',
    session_start_at: 'Giriş_Tarihi',
    session_end_at: 'ÇIKIŞ',
    room_number: 'Oda No',
    idNumber: 'TC Kimlik No',
  });
});

test('keeps the chosen columns that the table still has, and guesses no others', () => {
  const before = {
    firstname: 'ad',
    lastname: 'gone',
    birth_date: 'd',
    session_start_at: 's',
    session_end_at: 'e',
    room_number: 'r',
  };
  expect(guessMapping(['ad', 'soyad', 'oda'], before)).toMatchObject({
    firstname: 'ad',
    lastname: null,
    room_number: null,
  });
});
