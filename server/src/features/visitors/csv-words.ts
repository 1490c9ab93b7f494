import type { Language } from '@portico/contract/errors.ts';
import type { VisitorRow } from '@portico/contract/visitors.ts';

/** The columns of user-list.csv, in its order. */
export const listColumns = [
  'name',
  'email',
  'phone',
  'location',
  'device',
  'method',
  'signs_in_as',
  'profile',
  'created',
] as const;

/** The columns of an import, in the order of the example file. */
export const importColumns = [
  'name',
  'method',
  'username',
  'password',
  'citizen_id',
  'room_number',
  'id_number',
  'birth_date',
  'email',
  'phone',
  'profile',
  'paid_days',
  'valid_from',
  'valid_until',
] as const;
export type ImportColumn = (typeof importColumns)[number] | 'signs_in_as';

/** Replaces the name of an erased visitor. */
export const erasedName = { en: 'Erased visitor', tr: 'Silinmiş ziyaretçi' } as const satisfies Record<
  Language,
  string
>;

/** The column headers of the CSV files. */
export const headers = {
  en: {
    name: 'Name',
    email: 'E-mail',
    phone: 'Phone',
    location: 'Location',
    device: 'Device',
    method: 'Sign-in method',
    signs_in_as: 'Signs in as',
    profile: 'Session profile',
    created: 'Created',
    username: 'Username',
    password: 'Password',
    citizen_id: 'Identity number',
    room_number: 'Room number',
    id_number: 'Identity or passport number',
    birth_date: 'Birth date',
    paid_days: 'Paid days',
    valid_from: 'Valid from',
    valid_until: 'Valid until',
  },
  tr: {
    name: 'Ad',
    email: 'E-posta',
    phone: 'Telefon',
    location: 'Lokasyon',
    device: 'Cihaz',
    method: 'Giriş yöntemi',
    signs_in_as: 'Giriş bilgisi',
    profile: 'Oturum profili',
    created: 'Oluşturulma',
    username: 'Kullanıcı adı',
    password: 'Parola',
    citizen_id: 'T.C. kimlik numarası',
    room_number: 'Oda numarası',
    id_number: 'Kimlik veya pasaport numarası',
    birth_date: 'Doğum tarihi',
    paid_days: 'Ödenen gün',
    valid_from: 'Geçerlilik başlangıcı',
    valid_until: 'Geçerlilik bitişi',
  },
} as const satisfies Record<Language, Record<string, string>>;
export type Header = keyof (typeof headers)['en'];

/** The names of the sign-in methods in the CSV files. */
export const methods = {
  en: {
    'citizen-id': 'Identity number',
    'room-number': 'Room number',
    sms: 'SMS',
    username: 'Username',
    temp: 'Free access',
    email: 'E-mail',
    voucher: 'Voucher',
  },
  tr: {
    'citizen-id': 'T.C. kimlik no',
    'room-number': 'Oda numarası',
    sms: 'SMS',
    username: 'Kullanıcı adı',
    temp: 'Ücretsiz kullanım',
    email: 'E-posta',
    voucher: 'Kupon',
  },
} as const satisfies Record<Language, Record<VisitorRow['provider_type'], string>>;
