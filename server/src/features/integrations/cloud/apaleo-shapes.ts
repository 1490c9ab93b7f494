import { z } from 'zod';

/** The parts of Apaleo's answers that are read. */

const id = z.string().min(1).max(64);
/** A text that is too long is cut, so that it does not make the whole list unreadable. */
const text = (max: number) => z.string().transform(it => it.slice(0, max));
const optional = text(1000).nullish();
const moment = z.string().refine(text => !Number.isNaN(Date.parse(text)));

export const token = z.object({
  access_token: z.string().min(1).max(8000),
  expires_in: z.number().positive(),
});

export const guest = z.object({
  firstName: optional,
  lastName: optional,
  email: optional,
  phone: optional,
  birthDate: optional,
  identificationNumber: optional,
});
export type Guest = z.output<typeof guest>;

export const reservation = z.object({
  id,
  status: z.string(),
  property: z.object({ id }),
  unit: z.object({ id, name: text(200) }).nullish(),
  ratePlan: z.object({ code: optional }).nullish(),
  arrival: moment,
  departure: moment,
  checkInTime: moment.nullish(),
  primaryGuest: guest.nullish(),
  additionalGuests: z.array(guest).nullish(),
});
export type Reservation = z.output<typeof reservation>;

export const reservations = z.object({ reservations: z.array(reservation), count: z.number().int() });

const folio = z.object({
  id,
  isMainFolio: z.boolean().nullish(),
  allowedActions: z.array(z.string()).nullish(),
  charges: z.array(z.object({ receipt: z.unknown() })).nullish(),
  allowances: z.array(z.object({ reason: optional })).nullish(),
});
export type Folio = z.output<typeof folio>;

export const folios = z.object({ folios: z.array(folio) });

export const property = z.object({ id, name: z.unknown(), currencyCode: z.string().max(8) });
export const subscriptions = z.array(z.object({ endpointUrl: z.string() }));
