import { z } from 'zod';

/** The parts of Mews' answers that are read. */

const id = z.string().min(1).max(64);
/** A text that is too long is cut, so that it does not make the whole list unreadable. */
const text = (max: number) => z.string().transform(it => it.slice(0, max));
const optional = text(1000).nullish();
const moment = z.string().refine(text => !Number.isNaN(Date.parse(text)));

export const reservation = z.object({
  Id: id,
  ServiceId: id,
  AccountId: id,
  AccountType: z.string(),
  State: z.string(),
  RateId: id,
  AssignedResourceId: id.nullish(),
  ScheduledStartUtc: moment,
  ActualStartUtc: moment.nullish(),
  ScheduledEndUtc: moment,
});
export type Reservation = z.output<typeof reservation>;

export const companionship = z.object({ CustomerId: id, ReservationId: id.nullish() });

export const customer = z.object({
  Id: id,
  FirstName: optional,
  LastName: optional,
  SecondLastName: optional,
  BirthDate: optional,
  Email: optional,
  HasOtaEmail: z.boolean().optional(),
  Phone: optional,
  Classifications: z.array(z.string()).default([]),
});
export type Customer = z.output<typeof customer>;

export const identityDocument = z.object({ CustomerId: id, Number: optional });
export const resource = z.object({ Id: id, Name: text(200).nullish() });
export const rate = z.object({ Id: id, ShortName: optional, ExternalIdentifier: optional });
export const orderItem = z.object({ ExternalIdentifier: optional, AccountingState: z.string() });
export const service = z.object({
  Id: id,
  IsActive: z.boolean(),
  Names: z.record(z.string(), optional).nullish(),
  Data: z.object({ Discriminator: z.string() }).nullish(),
});

/** The English name, or the first one. */
export const nameOf = ({ Names }: z.output<typeof service>): string =>
  Names?.['en-GB'] ?? Names?.['en-US'] ?? Object.values(Names ?? {}).find(Boolean) ?? '';
export const configuration = z.object({
  Enterprise: z.object({
    Name: z.string().max(400),
    Pricing: z.string().max(40),
    IsPortfolio: z.boolean().optional(),
  }),
});
