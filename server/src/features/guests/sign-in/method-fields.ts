import type { GuestField } from '@portico/contract/guest-fields.ts';
import type { MethodView } from '@portico/contract/guests.ts';
import type { Provider } from '@portico/contract/portal-providers.ts';

const fields = {
  username: { name: 'username', type: 'text', autocomplete: 'username' },
  password: { name: 'password', type: 'password', autocomplete: 'current-password' },
  citizenId: { name: 'citizen_id', type: 'text', autocomplete: 'off', inputmode: 'numeric' },
  firstName: { name: 'first_name', type: 'text', autocomplete: 'given-name' },
  lastName: { name: 'last_name', type: 'text', autocomplete: 'family-name' },
  birthDate: { name: 'birth_date', type: 'date', autocomplete: 'bday' },
  roomNumber: { name: 'room_number', type: 'text', autocomplete: 'off' },
  idNumber: { name: 'id_number', type: 'text', autocomplete: 'off' },
  departureDate: { name: 'departure_date', type: 'date', autocomplete: 'off' },
  phone: { name: 'phone', type: 'tel', autocomplete: 'tel', inputmode: 'tel' },
  email: { name: 'email', type: 'email', autocomplete: 'email', inputmode: 'email' },
  code: { name: 'code', type: 'text', autocomplete: 'one-time-code', inputmode: 'numeric' },
  voucher: { name: 'voucher', type: 'text', autocomplete: 'off' },
  securityCode: { name: 'security_code', type: 'text', autocomplete: 'off' },
} as const satisfies Record<string, GuestField>;

function baseFields(it: Provider): GuestField[] {
  switch (it.slug) {
    case 'username':
      return [fields.username, fields.password];
    case 'citizen-id':
      return it.options.provider_type === 'nvi' || it.options.method === 'both'
        ? [fields.citizenId, fields.firstName, fields.lastName, fields.birthDate]
        : [fields.citizenId];
    case 'room-number':
      if (it.options.method === 'departureDate') return [fields.roomNumber, fields.departureDate];
      if (it.options.method === 'surname') return [fields.roomNumber, fields.lastName];
      if (it.options.method === 'both') return [fields.roomNumber, fields.idNumber, fields.birthDate];
      return [fields.roomNumber, it.options.method === 'idNumber' ? fields.birthDate : fields.idNumber];
    case 'sms':
      return [fields.phone];
    case 'temp':
      return [];
    case 'email':
      return [fields.email];
    case 'voucher':
      return [fields.voucher];
  }
}

/** The field for a code that was sent. */
export const codeField: GuestField = fields.code;

/** A method with all its fields. */
export function methodView(it: Provider): MethodView {
  const { options } = it;
  const extra: GuestField[] = [];
  const confirms = (it.slug === 'temp' || it.slug === 'email') && it.options.confirm_email;
  if ((options.collect_email || confirms) && it.slug !== 'email')
    extra.push({ ...fields.email, optional: !options.email_required && !confirms });
  if (options.collect_phone && it.slug !== 'sms') extra.push({ ...fields.phone, optional: !options.phone_required });
  if (options.require_security_code) extra.push(fields.securityCode);
  return { slug: it.slug, fields: [...baseFields(it), ...extra], ...(confirms && { confirms }) };
}
