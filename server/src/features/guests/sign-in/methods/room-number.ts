import type { SignInOf } from '@portico/contract/guest-forms.ts';
import { readNow } from '#features/integrations/public.ts';
import type { App } from '#lib/app.ts';
import { findRoom, type RoomRow } from '../guest-visitors.queries.ts';
import { isSurname } from '../surname.ts';
import { inputError, type Method } from './method.ts';
import { dayOf, latinDigits, plainNumber } from './typed.ts';

type Form = SignInOf<'room-number'>;
type Asked = 'last_name' | 'id_number' | 'birth_date' | 'departure_date';

/** The fields besides the room number, by the option's value on the wire. */
const askedBy: Record<string, readonly Asked[]> = {
  both: ['id_number', 'birth_date'],
  idNumber: ['birth_date'],
  onylIdNumber: ['id_number'],
  departureDate: ['departure_date'],
  surname: ['last_name'],
};

const isDate = (name: Asked): boolean => name === 'birth_date' || name === 'departure_date';

const roomOf = (form: Form): string => latinDigits(form.room_number).trim();

export const roomNumber: Method<'room-number'> = {
  target: form => roomOf(form).toLocaleUpperCase('tr'),
  recorded: form => ({
    room_number: roomOf(form),
    ...(form.last_name && { last_name: form.last_name }),
    ...(form.id_number && { id_number: form.id_number }),
    ...(form.birth_date && { birth_date: form.birth_date }),
    ...(form.departure_date && { departure_date: form.departure_date }),
  }),
  async prove({ app, request, form, options }) {
    const { tenantId, location_id: locationId } = request.context;
    const asked = askedBy[options.method]!;
    const missing = (['room_number', ...asked] as const).filter(name => !form[name]);
    if (missing.length) return inputError('missing', ...missing);
    const bad = asked.filter(name => isDate(name) && !dayOf(form[name]));
    if (bad.length) return inputError('bad_date', ...bad);

    const find = async () => {
      const rows = await app.db.withTenant(tenantId, tx => findRoom(tx, locationId, roomOf(form)));
      return rows.find(row => asked.every(name => matches[name](app, row, form)));
    };
    // The guest may have checked in since the hotel's system was last read. A read may also have ended since the first look.
    const guest = (await find()) ?? (await readNow(app, { tenantId, locationId }).then(find));
    return guest ? { visitorId: guest.id } : { problem: 'wrong_details', fields: ['room_number', ...asked] };
  },
};

const sameNumber = (known: string | undefined, typed: string): boolean =>
  known !== undefined && plainNumber(known) === plainNumber(typed);

const matches: Record<Asked, (app: App, row: RoomRow, form: Form) => boolean> = {
  last_name: (app, { name, surname }, form) =>
    isSurname(form.last_name, { name, surname: surname === null ? undefined : app.secrets.read(surname) }),
  id_number: (app, { citizen_id }, form) =>
    citizen_id !== null && sameNumber(app.secrets.read(citizen_id), form.id_number),
  birth_date: (app, { birth_date }, form) =>
    birth_date !== null && app.secrets.read(birth_date) === (dayOf(form.birth_date) ?? null),
  departure_date: (_app, { leaves }, form) => leaves !== null && leaves === dayOf(form.departure_date),
};
