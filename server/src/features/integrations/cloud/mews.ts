import type { MewsConnection } from '@portico/contract/integration-kinds.ts';
import { z } from 'zod';
import type { App } from '#lib/app.ts';
import { productVersion } from '#lib/product-version.ts';
import { steadyNow } from '#lib/steady-clock.ts';
import type { HotelStay } from '../hotel/stays.ts';
import { IntegrationError } from '../problems.ts';
import { askCloud, bodyOf, type CloudAnswer, chunksOf, hotelBases, localDay, refusedBooking } from './ask.ts';
import * as shapes from './mews-shapes.ts';
import { cloudPace } from './pace.ts';
import { type Booked, type CloudHotel, type CloudPosting, NotSent } from './system.ts';

/**
 * Mews by its Connector API, built from the documentation of January 2026. Not checked, for lack of an account at Mews:
 * negative amounts of `orders/add`, and how soon a new order item is found.
 */

const perPage = 500;
const maxGuests = 20_000;
const documentsAtOnce = 100;
/** Rooms are named anew seldom, and documents entered once; what is not known is asked for at once. */
const knownMs = 600_000;
/** The VIP code is the first of these that is among a guest's classifications. */
const vips = ['VeryImportant', 'Important', 'TopManagement', 'LoyaltyProgram', 'FriendOrFamily', 'Staff', 'Media'];

/** Mews asks for the name and the version of its clients. */
const client = `Portico ${productVersion()}`;

export class Mews implements CloudHotel {
  private readonly app: App;
  private readonly it: MewsConnection;
  private rooms = new Map<string, string>();
  private roomsReadAt = 0;
  private rates = new Map<string, string>();
  private documents = new Map<string, { readonly number: string | null; readonly until: number }>();

  constructor(app: App, it: MewsConnection) {
    this.app = app;
    this.it = it;
  }

  private ask(operation: string, body: object, signal?: AbortSignal): Promise<CloudAnswer> {
    const { environment, client_token, access_token } = this.it;
    return askCloud(this.app, {
      url: `${hotelBases[`mews-${environment}`]}/api/connector/v1/${operation}`,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ClientToken: client_token, AccessToken: access_token, Client: client, ...body }),
      signal,
    });
  }

  /** All pages of a list. A list that does not end is no list. */
  private async all<T extends z.ZodType>(
    operation: string,
    name: string,
    shape: T,
    filter: object,
    signal?: AbortSignal,
  ): Promise<z.output<T>[]> {
    const page = z.object({ [name]: z.array(shape), Cursor: z.string().nullish() });
    const found: z.output<T>[] = [];
    const seen = new Set<string>();
    for (let cursor: string | undefined; ; ) {
      const answer = await this.ask(operation, { ...filter, Limitation: { Count: perPage, Cursor: cursor } }, signal);
      const read = bodyOf(answer, page) as { Cursor?: string | null } & Record<string, z.output<T>[]>;
      const rows = read[name]!;
      found.push(...rows);
      if (found.length > maxGuests) throw new IntegrationError('too_many_rows');
      if (rows.length < perPage || !read.Cursor) return found;
      if (seen.has(read.Cursor)) throw new IntegrationError('bad_answer', operation);
      seen.add(read.Cursor);
      cursor = read.Cursor;
    }
  }

  private async of<T extends z.ZodType>(
    operation: string,
    name: string,
    shape: T,
    by: string,
    ids: readonly string[],
    { more = {}, atOnce = perPage, signal }: { more?: object; atOnce?: number; signal: AbortSignal | undefined },
  ) {
    const found: z.output<T>[] = [];
    for (const part of chunksOf([...new Set(ids)], atOnce))
      found.push(...(await this.all(operation, name, shape, { [by]: part, ...more }, signal)));
    return found;
  }

  private async readRooms(needed: readonly string[], signal: AbortSignal | undefined): Promise<void> {
    const isKnown = needed.every(id => this.rooms.has(id)) && steadyNow() - this.roomsReadAt < knownMs;
    if (isKnown || needed.length === 0) return;
    const filter = { Extent: { Resources: true, Inactive: false } };
    const rooms = await this.all('resources/getAll', 'Resources', shapes.resource, filter, signal);
    this.rooms = new Map(rooms.map(it => [it.Id, it.Name ?? '']));
    this.roomsReadAt = steadyNow();
  }

  private async readRates(reservations: readonly shapes.Reservation[], signal: AbortSignal | undefined): Promise<void> {
    if (!this.it.profiles.some(it => it.by === 'rate')) return;
    const unknown = reservations.filter(it => !this.rates.has(it.RateId));
    if (!unknown.length) return;
    const ServiceIds = [...new Set(unknown.map(it => it.ServiceId))];
    const more = { ServiceIds, Extent: { Rates: true, AvailabilityBlockAssignments: false } };
    const ids = unknown.map(it => it.RateId);
    for (const it of await this.of('rates/getAll', 'Rates', shapes.rate, 'RateIds', ids, { more, signal }))
      this.rates.set(it.Id, it.ShortName || it.ExternalIdentifier || '');
  }

  /** Numbers of passports and identity cards, where the hotel lets us read them. */
  private async readDocuments(customers: readonly string[], signal: AbortSignal | undefined): Promise<void> {
    for (const [id, { until }] of this.documents) if (steadyNow() > until) this.documents.delete(id);
    let mayRead = true;
    const unknown = customers.filter(id => !this.documents.has(id));
    if (!unknown.length) return;
    const shape = shapes.identityDocument;
    const found = await this.of('identityDocuments/getAll', 'IdentityDocuments', shape, 'CustomerIds', unknown, {
      atOnce: documentsAtOnce,
      signal,
    }).catch((error: unknown) => {
      if (!(error instanceof IntegrationError && ['no_rights', 'login_refused'].includes(error.code))) throw error;
      mayRead = false;
      return [];
    });
    for (const id of unknown) {
      const number = found.find(it => it.CustomerId === id && it.Number)?.Number ?? null;
      this.documents.set(id, { number, until: steadyNow() + (number || !mayRead ? knownMs : cloudPace.documentMs) });
    }
  }

  async readStays(timeZone: string, signal?: AbortSignal): Promise<HotelStay[]> {
    const started = { States: ['Started'] };
    const all = await this.all('reservations/getAll/2023-06-06', 'Reservations', shapes.reservation, started, signal);
    const reservations = [...new Map(all.map(it => [it.Id, it])).values()].filter(
      it => it.State === 'Started' && it.AssignedResourceId,
    );
    const ids = reservations.map(it => it.Id);
    const more = { Extent: { Reservations: false, ReservationGroups: false, Customers: false } };
    const companions = await this.of(
      'companionships/getAll',
      'Companionships',
      shapes.companionship,
      'ReservationIds',
      ids,
      { more, signal },
    );
    const people = new Map(reservations.map(it => [it.Id, new Set<string>()]));
    for (const it of reservations) if (it.AccountType === 'Customer') people.get(it.Id)!.add(it.AccountId);
    for (const it of companions) if (it.ReservationId) people.get(it.ReservationId)?.add(it.CustomerId);
    const customerIds = [...people.values()].flatMap(it => [...it]);
    const customers = await this.of('customers/getAll', 'Customers', shapes.customer, 'CustomerIds', customerIds, {
      more: { Extent: { Customers: true, Addresses: false } },
      signal,
    });
    const byId = new Map(customers.map(it => [it.Id, it]));
    await this.readDocuments(customerIds, signal);
    await this.readRooms(
      reservations.map(it => it.AssignedResourceId!),
      signal,
    );
    await this.readRates(reservations, signal);
    return reservations.flatMap(it =>
      [...people.get(it.Id)!].flatMap(id => {
        const customer = byId.get(id);
        return customer ? [this.stayOf(it, customer, timeZone)] : [];
      }),
    );
  }

  private stayOf(it: shapes.Reservation, who: shapes.Customer, timeZone: string): HotelStay {
    return {
      reservation: it.Id,
      profile_number: who.Id,
      firstname: who.FirstName ?? '',
      surname: [who.LastName, who.SecondLastName].filter(Boolean).join(' '),
      room: this.rooms.get(it.AssignedResourceId!) ?? '',
      arrival: localDay(it.ActualStartUtc ?? it.ScheduledStartUtc, timeZone),
      departure: localDay(it.ScheduledEndUtc, timeZone),
      birth_date: /^\d{4}-\d\d-\d\d$/.test(who.BirthDate ?? '') ? who.BirthDate! : null,
      id_number: this.documents.get(who.Id)?.number ?? null,
      // An address that a booking site made up reaches no guest.
      email: who.HasOtaEmail ? null : (who.Email ?? null),
      phone: who.Phone ?? null,
      vip: vips.find(name => who.Classifications.includes(name)) ?? null,
      rate: this.rates.get(it.RateId) || null,
      shared: false,
      no_charges: false,
    };
  }

  /** Items of the service of our charges since a little before the first try. Mews has no search by our reference. */
  async findBooked({ reference, firstSentAt }: CloudPosting): Promise<Booked | undefined> {
    const StartUtc = new Date(firstSentAt.getTime() - 3_600_000).toISOString();
    const items = await this.all('orderItems/getAll', 'OrderItems', shapes.orderItem, {
      ServiceIds: [this.it.service_id],
      CreatedUtc: { StartUtc, EndUtc: new Date(Date.now() + 60_000).toISOString() },
    });
    const isThere = items.some(it => it.ExternalIdentifier === reference && it.AccountingState !== 'Canceled');
    return isThere ? { state: 'posted' } : undefined;
  }

  async book(posting: CloudPosting) {
    const { reservation, amount, currency, words, reference } = posting;
    const found = bodyOf(
      await this.ask('reservations/getAll/2023-06-06', { ReservationIds: [reservation], Limitation: { Count: 1 } }),
      z.object({ Reservations: z.array(shapes.reservation) }),
    ).Reservations.find(it => it.Id === reservation);
    if (!found || (amount > 0 && found.State !== 'Started'))
      return { state: 'refused' as const, answer: 'not in house' };
    const answer = await this.ask('orders/add', {
      ServiceId: this.it.service_id,
      AccountId: found.AccountId,
      LinkedReservationId: reservation,
      Options: { DisableItemGrouping: true },
      Items: [
        {
          Name: words.slice(0, 100),
          UnitCount: 1,
          UnitAmount: { Currency: currency.toUpperCase(), GrossValue: amount / 100, TaxCodes: [this.it.tax_code] },
          ExternalIdentifier: reference,
        },
      ],
    });
    if (answer.status === 401) throw new NotSent('login_refused');
    const refused = refusedBooking(answer);
    if (refused) return refused;
    bodyOf(answer, z.object({ OrderId: z.string().min(1) }));
    return { state: 'posted' as const };
  }

  async test() {
    const { Enterprise } = bodyOf(await this.ask('configuration/get', {}), shapes.configuration);
    // Its token would read the guests of all its hotels, whose rooms may have the same names.
    if (Enterprise.IsPortfolio) throw new IntegrationError('refused', 'IsPortfolio: true');
    const services = await this.all('services/getAll', 'Services', shapes.service, {});
    if (this.it.currency) {
      // Charges have gross amounts. Only Mews knows the gross amount of a net one.
      if (Enterprise.Pricing !== 'Gross') throw new IntegrationError('refused', `Pricing: ${Enterprise.Pricing}`);
      const service = services.find(it => it.Id === this.it.service_id && it.IsActive);
      if (!service) throw new IntegrationError('no_such_thing', 'ServiceId');
    }
    return [
      { name: 'hotel', value: Enterprise.Name },
      ...services
        .filter(it => it.IsActive && it.Data?.Discriminator === 'Additional')
        .map(it => ({ name: 'service', value: `${shapes.nameOf(it)} ${it.Id}` })),
    ];
  }
}
