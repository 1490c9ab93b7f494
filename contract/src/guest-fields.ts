/** The inputs of guests' forms. */
export type FieldName =
  | 'username'
  | 'password'
  | 'citizen_id'
  | 'first_name'
  | 'last_name'
  | 'birth_date'
  | 'room_number'
  | 'id_number'
  | 'departure_date'
  | 'phone'
  | 'email'
  | 'security_code'
  | 'code'
  | 'voucher';

/** The most characters that each takes. A longer value counts as empty, so the inputs take no more. */
export const fieldMax = {
  username: 255,
  password: 255,
  citizen_id: 32,
  first_name: 120,
  last_name: 120,
  birth_date: 32,
  room_number: 32,
  id_number: 64,
  departure_date: 32,
  phone: 40,
  email: 254,
  security_code: 64,
  code: 16,
  voucher: 64,
} as const satisfies Record<FieldName, number>;

/** One input of a sign-in form. */
export interface GuestField {
  readonly name: FieldName;
  readonly type: 'text' | 'password' | 'tel' | 'email' | 'date';
  readonly autocomplete: string;
  readonly inputmode?: 'numeric' | 'tel' | 'email' | 'text';
  readonly optional?: boolean;
}
