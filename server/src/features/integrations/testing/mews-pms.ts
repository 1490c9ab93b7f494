import { createHash } from 'node:crypto';
import {
  type Booking,
  type HotelAnswer,
  type HotelRequest,
  momentOf,
  type Person,
  startCloudHotel,
} from './cloud-hotel.ts';

/**
 * A hotel at Mews, as the documentation of the Connector API of January 2026 describes it: POST with tokens in the body, lists by
 * cursor from the newest to the oldest, orders with an external identifier. Not checked against a real one.
 */

const guid = (text: string): string =>
  createHash('sha256')
    .update(text)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
export const mewsTokens = { client_token: 'client-token', access_token: 'access-token' };
export const mewsService = guid('service Wi-Fi');
interface Amount {
  Currency?: string;
  GrossValue?: number;
  TaxCodes?: string[];
}
const personId = (it: Booking, n: number) => guid(`person ${it.id} ${n}`);
const allExtents = ['Reservations', 'ReservationGroups', 'Customers'];

export async function startMews() {
  const orders: { id: string; reference: string; created: number; canceled: boolean }[] = [];
  /** Passports may not be read. */
  const rights = { documents: true };

  const reservationOf = (it: Booking) => ({
    Id: guid(it.id),
    ServiceId: guid('service Stay'),
    AccountId: personId(it, 0),
    AccountType: 'Customer',
    Number: it.id,
    State: it.isOut ? 'Processed' : 'Started',
    RateId: guid(`rate ${it.rate ?? 'BAR'}`),
    AssignedResourceId: guid(`room ${it.room}`),
    ScheduledStartUtc: momentOf(it.from, 14),
    ActualStartUtc: momentOf(it.from, 15),
    ScheduledEndUtc: momentOf(it.to, 9),
    ActualEndUtc: null,
    StartUtc: momentOf(it.from, 14),
    EndUtc: momentOf(it.to, 9),
  });
  const customerOf = (who: Person, id: string) => ({
    Id: id,
    Number: '1',
    FirstName: who.first,
    LastName: who.last,
    SecondLastName: null,
    BirthDate: who.birth ?? null,
    Email: 'guest@guest.booking.example',
    HasOtaEmail: true,
    Phone: null,
    Classifications: ['Returning', ...(who.vip ? [who.vip] : [])],
    Options: [],
    IsActive: true,
  });

  /** Newest first; the cursor names the last item of a page. */
  function page<T extends { Id: string }>(
    name: string,
    all: T[],
    body: { Limitation?: { Count?: number; Cursor?: string } },
  ) {
    const { Count, Cursor } = body.Limitation ?? {};
    if (!Count || Count > 1000) return { status: 400, body: { Message: 'Invalid Limitation.' } };
    const from = Cursor ? all.findIndex(it => it.Id === Cursor) + 1 : 0;
    const rows = all.slice(from, from + Math.min(Count, pms.perPage));
    return { status: 200, body: { [name]: rows, Cursor: rows.at(-1)?.Id ?? null } };
  }

  function answer({ method, path, headers, body: text }: HotelRequest): HotelAnswer {
    if (method !== 'POST' || headers['content-type'] !== 'application/json') return { status: 404, body: {} };
    const body = JSON.parse(text);
    const isKnown = body.ClientToken === mewsTokens.client_token && body.AccessToken === mewsTokens.access_token;
    // The client is a name and a version.
    if (!isKnown || !/^\S.* \d+\.\d+/.test(body.Client))
      return { status: 401, body: { Message: 'Invalid AccessToken.' } };
    const all = [...pms.bookings.values()].reverse();
    const people = all.flatMap(it => it.people.map((who, n) => ({ who, booking: it, id: personId(it, n) })));
    switch (path.replace('/api/connector/v1/', '')) {
      case 'configuration/get':
        return {
          status: 200,
          body: {
            Enterprise: {
              Id: guid('hotel'),
              Name: 'Hotel at Mews',
              Pricing: pms.pricing,
              IsPortfolio: pms.isPortfolio,
            },
          },
        };
      case 'services/getAll': {
        const services = ['Wi-Fi', 'Stay'].map(name => ({
          Id: guid(`service ${name}`),
          IsActive: true,
          Names: { 'en-US': name },
          Data: { Discriminator: name === 'Stay' ? 'Bookable' : 'Additional' },
        }));
        return page('Services', services, body);
      }
      case 'reservations/getAll/2023-06-06': {
        const found = all
          .map(reservationOf)
          .filter(it => !body.States || body.States.includes(it.State))
          .filter(it => !body.ReservationIds || body.ReservationIds.includes(it.Id));
        return page('Reservations', found, body);
      }
      case 'companionships/getAll': {
        if (!body.Extent || !body.ReservationIds || Object.keys(body.Extent).some(key => !allExtents.includes(key)))
          return { status: 400, body: { Message: 'Invalid filter.' } };
        const found = people
          .filter(it => body.ReservationIds.includes(guid(it.booking.id)))
          .map(it => ({ Id: guid(`with ${it.id}`), CustomerId: it.id, ReservationId: guid(it.booking.id) }));
        return page('Companionships', found, body);
      }
      case 'customers/getAll': {
        if (!body.Extent?.Customers || !body.CustomerIds?.length)
          return { status: 400, body: { Message: 'No filter.' } };
        const found = people.filter(it => body.CustomerIds.includes(it.id)).map(it => customerOf(it.who, it.id));
        return page('Customers', found, body);
      }
      case 'identityDocuments/getAll': {
        if (!rights.documents) return { status: 401, body: { Message: 'No permission.' } };
        if (!(body.CustomerIds?.length <= 100)) return { status: 400, body: { Message: 'Too many.' } };
        const found = people
          .filter(it => it.who.id && body.CustomerIds.includes(it.id))
          .map(it => ({ Id: guid(`paper ${it.id}`), CustomerId: it.id, Type: 'Passport', Number: it.who.id }));
        return page('IdentityDocuments', found, body);
      }
      case 'resources/getAll': {
        const rooms = [...new Set([...all.map(it => it.room), '999'])];
        const found = rooms.map(name => ({ Id: guid(`room ${name}`), IsActive: true, Name: name, State: 'Clean' }));
        return page('Resources', found, body);
      }
      case 'rates/getAll': {
        if (!body.ServiceIds?.length) return { status: 400, body: { Message: 'ServiceIds.' } };
        const rates = [...new Set(all.map(it => it.rate ?? 'BAR'))];
        const found = rates.map(name => ({ Id: guid(`rate ${name}`), ShortName: name, ExternalIdentifier: null }));
        return page('Rates', found, body);
      }
      case 'orderItems/getAll': {
        const { StartUtc, EndUtc } = body.CreatedUtc ?? {};
        if (!body.ServiceIds?.length || !(Date.parse(EndUtc) - Date.parse(StartUtc) < 90 * 86_400_000))
          return { status: 400, body: { Message: 'Invalid interval.' } };
        const found = orders
          .filter(it => it.created >= Date.parse(StartUtc) && it.created <= Date.parse(EndUtc))
          .map(it => ({
            Id: it.id,
            ExternalIdentifier: it.reference,
            AccountingState: it.canceled ? 'Canceled' : 'Open',
          }))
          .reverse();
        return page('OrderItems', found, body);
      }
      case 'orders/add':
        return add(body);
      default:
        return { status: 404, body: { Message: 'Not found.' } };
    }
  }

  function add(body: {
    ServiceId: string;
    AccountId: string;
    LinkedReservationId: string;
    Items: { Name: string; UnitCount: number; UnitAmount?: Amount; ExternalIdentifier: string }[];
  }): HotelAnswer {
    const booking = [...pms.bookings.values()].find(it => guid(it.id) === body.LinkedReservationId);
    const [item] = body.Items;
    const { Currency = '', GrossValue, TaxCodes } = item?.UnitAmount ?? {};
    if (
      !item ||
      item.UnitCount !== 1 ||
      typeof GrossValue !== 'number' ||
      !TaxCodes?.[0] ||
      body.ServiceId !== mewsService
    )
      return { status: 400, body: { Message: 'Invalid Item.' } };
    if (!booking || body.AccountId !== personId(booking, 0))
      return { status: 400, body: { Message: 'Invalid AccountId.' } };
    const id = guid(`order ${orders.length}`);
    orders.push({ id, reference: item.ExternalIdentifier, created: Date.now(), canceled: false });
    pms.bill.push({
      reservation: booking.id,
      reference: item.ExternalIdentifier,
      amount: Math.round(GrossValue * 100),
      currency: Currency,
      text: item.Name,
    });
    return { status: 200, body: { OrderId: id } };
  }

  const started = await startCloudHotel(answer, it => it.path.endsWith('/orders/add'));
  const pms = Object.assign(started, { perPage: 1000, pricing: 'Gross', isPortfolio: false, rights, orders });
  return pms;
}
