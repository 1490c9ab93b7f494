import { optionalFields, requiredFields } from '@portico/contract/integration-names.ts';
import { type FieldMapping } from '@portico/contract/integrations.ts';

export type MappedField = (typeof requiredFields)[number] | (typeof optionalFields)[number];

/** Usual names of these columns in PMS tables, in lower case, without accents and underscores. */
const words = {
  firstname: ['firstname', 'first', 'name', 'ad', 'adi', 'guestname'],
  lastname: ['lastname', 'last', 'surname', 'soyad', 'soyadi'],
  birth_date: ['birthdate', 'birthday', 'dateofbirth', 'dob', 'dogumtarihi', 'dogum'],
  session_start_at: ['sessionstartat', 'checkin', 'checkindate', 'arrival', 'arrivaldate', 'giristarihi', 'giris'],
  session_end_at: ['sessionendat', 'checkout', 'checkoutdate', 'departure', 'departuredate', 'cikistarihi', 'cikis'],
  room_number: ['roomnumber', 'room', 'roomno', 'oda', 'odano', 'odanumarasi'],
  gender: ['gender', 'sex', 'cinsiyet'],
  nationality: ['nationality', 'country', 'uyruk', 'ulke'],
  phone: ['phone', 'phonenumber', 'mobile', 'gsm', 'telefon', 'tel', 'ceptelefonu'],
  idNumber: [
    'idnumber',
    'idno',
    'passport',
    'passportno',
    'tckn',
    'kimlikno',
    'tckimlikno',
    'kimlik',
    'pasaportno',
    'nationalid',
  ],
  email: ['email', 'mail', 'eposta'],
} as const satisfies Record<MappedField, readonly string[]>;

const plain = (name: string) =>
  name
    .toLowerCase()
    .replaceAll('ı', 'i')
    .normalize('NFD')
    .replace(/[^a-z0-9]/g, '');

/** The previous column if the table still has it, else a column with a usual name, else none. */
export function guessMapping(
  columns: readonly string[],
  before: FieldMapping | undefined,
): Record<MappedField, string | null> {
  const find = (field: MappedField) => {
    const chosen = before?.[field];
    if (chosen && columns.includes(chosen)) return chosen;
    const known: readonly string[] = words[field];
    const named = known.flatMap(word => columns.filter(column => plain(column) === word));
    return before ? null : (named[0] ?? null);
  };
  return Object.fromEntries([...requiredFields, ...optionalFields].map(field => [field, find(field)])) as Record<
    MappedField,
    string | null
  >;
}
