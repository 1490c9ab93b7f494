import type { FiasConnection } from '@portico/contract/integration-kinds.ts';
import type { App } from '#lib/app.ts';
import type { KnownStay } from '../hotel/hotel-stays.queries.ts';
import type { HotelStay } from '../hotel/stays.ts';
import { birthDateOf, dayOf, type FiasRecord } from './records.ts';

/** The fields that Portico asks for in each record. */

const guestFields = ['RN', 'G#', 'GN', 'GF', 'G+', 'GV', 'GA', 'GD', 'GS', 'NP'] as const;

const freeFields = (it: FiasConnection): string[] => [
  ...new Set([it.birth_date_field, it.id_number_field, it.rate_field].filter(field => field !== null)),
];

/** The records of the link with their fields, as they are named to the hotel system when the link starts. */
export const wantedRecords = (it: FiasConnection): readonly (readonly [type: string, fields: string])[] => {
  const guest = [...guestFields, ...freeFields(it)].join('');
  return [
    ['GI', `${guest}SF`],
    ['GC', `${guest}RO`],
    ['GO', 'RNG#GSSF'],
    ['PS', 'RNG#PTTAP#CTDATI'],
    ['PA', 'RNASP#DATI'],
    ['NS', 'DATI'],
    ['NE', 'DATI'],
    ['DR', 'DATI'],
    ['DS', 'DATI'],
    ['DE', 'DATI'],
  ];
};

const yes = (text: string | undefined): boolean => text === 'Y';
const orNull = (text: string | undefined): string | null => text ?? null;

/** `Smith, John` or `SMITH/JOHN MR` in the name field: the surname comes first. */
function namesOf(fields: FiasRecord['fields']): { firstname: string; surname: string } {
  const [surname = '', rest = ''] = (fields['GN'] ?? '').split(/[,/]/, 2).map(part => part.trim());
  return { surname, firstname: fields['GF'] ?? rest };
}

/** The guest of a GI or GC record. Fields that a change leaves out keep their known values. */
export function stayOf(
  app: App,
  it: FiasConnection,
  { fields }: FiasRecord,
  today: string,
  known?: KnownStay,
): HotelStay {
  const free = (field: string | null) => (field ? fields[field] : undefined);
  const names = namesOf(fields);
  const surname = known?.surname ? (app.secrets.read(known.surname) ?? '') : '';
  const knownNames = {
    surname,
    firstname: known?.name.endsWith(surname) ? known.name.slice(0, -surname.length || undefined).trim() : '',
  };
  return {
    reservation: fields['G#'] ?? '',
    profile_number: fields['G+'] ?? known?.profile_number ?? null,
    ...(names.surname || names.firstname ? names : knownNames),
    room: fields['RN'] ?? known?.room_number ?? '',
    arrival: dayOf(fields['GA']) ?? known?.starts ?? null,
    departure: dayOf(fields['GD']) ?? known?.ends ?? null,
    birth_date: birthDateOf(free(it.birth_date_field), today) ?? null,
    id_number: orNull(free(it.id_number_field)),
    email: null,
    phone: null,
    vip: fields['GV'] ?? known?.vip ?? null,
    rate: free(it.rate_field) ?? known?.rate ?? null,
    shared: fields['GS'] ? yes(fields['GS']) : (known?.shared ?? false),
    no_charges: fields['NP'] ? yes(fields['NP']) : (known?.no_charges ?? false),
  };
}
