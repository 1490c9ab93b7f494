import type { Visitor } from '@portico/contract/visitors.ts';
import { localTimeIn } from '#lib/time-zone.ts';

const limit = <U extends string>(option: U) => ({ is_active: false, option, value: 1 });

/** The fields of the limits. */
export interface LimitValues extends Record<string, unknown> {
  profile_id: string | null;
  special_profile: boolean;
  shared_user: number | string;
  session_duration: Visitor['session_duration'];
  max_upload: Visitor['max_upload'];
  max_download: Visitor['max_download'];
  total_paid_day: number | string;
}

const emptyLimits = (): LimitValues => ({
  profile_id: null,
  special_profile: false,
  shared_user: 1,
  session_duration: limit('day'),
  max_upload: limit('mbps'),
  max_download: limit('mbps'),
  total_paid_day: 0,
});

/** The fields of the form. Dates have the format of `<input type="datetime-local">`; missing texts are empty. */
export interface VisitorValues extends LimitValues {
  location_id: string | null;
  name: string;
  provider_type: Visitor['provider_type'];
  provider_id: string;
  room_number: string;
  idNumber: string;
  username: string;
  password: string;
  birth_day: string | null;
  birth_month: string | null;
  birth_year: string | null;
  email: string;
  phone: string;
  session_start_at: string;
  session_end_at: string;
}

export const emptyVisitor = (locationId: string | null): VisitorValues => ({
  ...emptyLimits(),
  location_id: locationId,
  name: '',
  provider_type: 'username',
  provider_id: '',
  room_number: '',
  idNumber: '',
  username: '',
  password: '',
  birth_day: null,
  birth_month: null,
  birth_year: null,
  email: '',
  phone: '',
  session_start_at: '',
  session_end_at: '',
});

const words = (value: number | null) => (value === null ? null : String(value));

export function visitorValues(visitor: Visitor): VisitorValues {
  const { time_zone } = visitor.location;
  const { email, phone, provider_id, room_number, idNumber, username, password } = visitor;
  return {
    location_id: visitor.location_id,
    name: visitor.name,
    provider_type: visitor.provider_type,
    provider_id: provider_id ?? '',
    room_number: room_number ?? '',
    idNumber: idNumber ?? '',
    username: username ?? '',
    password: password ?? '',
    birth_day: words(visitor.birth_day),
    birth_month: words(visitor.birth_month),
    birth_year: words(visitor.birth_year),
    email: email ?? '',
    phone: phone ?? '',
    profile_id: visitor.profile_id,
    special_profile: visitor.special_profile,
    shared_user: visitor.shared_user,
    session_duration: visitor.session_duration,
    max_upload: visitor.max_upload,
    max_download: visitor.max_download,
    session_start_at: visitor.session_start_at ? localTimeIn(time_zone, visitor.session_start_at) : '',
    session_end_at: visitor.session_end_at ? localTimeIn(time_zone, visitor.session_end_at) : '',
    total_paid_day: visitor.total_paid_day,
  };
}

const orNull = (text: string) => text.trim() || null;

/**
 * The request body: only the fields of the sign-in method, with null for empty ones. Times are sent as typed, and the
 * server reads them on the clocks of the location. Times that did not change keep their seconds.
 */
export function visitorInput(values: VisitorValues, stored?: Visitor): Record<string, unknown> {
  const shown = stored && visitorValues(stored);
  const timeOf = (field: 'session_start_at' | 'session_end_at') =>
    stored && values[field] === shown?.[field] ? stored[field] : orNull(values[field]);
  const { provider_type: type, location_id: _, ...rest } = values;
  const named = type === 'username';
  const dated = type === 'citizen-id' || type === 'room-number';
  return {
    ...rest,
    provider_type: type,
    location_id: values.location_id ?? undefined,
    provider_id: type === 'citizen-id' ? orNull(values.provider_id) : null,
    room_number: type === 'room-number' ? orNull(values.room_number) : null,
    idNumber: type === 'room-number' ? orNull(values.idNumber) : null,
    username: named ? orNull(values.username) : null,
    password: named ? orNull(values.password) : null,
    birth_day: dated ? values.birth_day : null,
    birth_month: dated ? values.birth_month : null,
    birth_year: dated ? values.birth_year : null,
    session_start_at: timeOf('session_start_at'),
    session_end_at: timeOf('session_end_at'),
  };
}

/** The fields of the bulk form. */
export interface BulkValues extends LimitValues {
  location_id: string | null;
  total_user: number | string;
  name: string;
  username: string;
  session_start_at: string;
  session_end_at: string;
}

export const emptyBulk = (locationId: string | null): BulkValues => ({
  ...emptyLimits(),
  location_id: locationId,
  total_user: 10,
  name: '',
  username: '',
  session_start_at: '',
  session_end_at: '',
});

export const bulkInput = (values: BulkValues): Record<string, unknown> => ({
  ...values,
  location_id: values.location_id ?? undefined,
  provider_type: 'username',
  username: orNull(values.username),
  session_start_at: orNull(values.session_start_at),
  session_end_at: orNull(values.session_end_at),
});

/** Eight characters without look-alikes, easy to type on a phone. */
export function generatePassword(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
  // Rejects bytes beyond the last whole multiple: they would favour the first letters.
  const fair = 256 - (256 % letters.length);
  let made = '';
  while (made.length < 8) {
    for (const byte of crypto.getRandomValues(new Uint8Array(16)))
      if (byte < fair && made.length < 8) made += letters[byte % letters.length];
  }
  return made;
}
