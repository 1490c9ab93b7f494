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

/** One input of a sign-in form. */
export interface GuestField {
  readonly name: FieldName;
  readonly type: 'text' | 'password' | 'tel' | 'email' | 'date';
  readonly autocomplete: string;
  readonly inputmode?: 'numeric' | 'tel' | 'email' | 'text';
  readonly optional?: boolean;
}
