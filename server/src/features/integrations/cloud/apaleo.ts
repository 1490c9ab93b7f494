import { createHash } from 'node:crypto';
import type { ApaleoConnection } from '@portico/contract/integration-kinds.ts';
import { z } from 'zod';
import type { App } from '#lib/app.ts';
import { steadyNow } from '#lib/steady-clock.ts';
import type { HotelStay } from '../hotel/stays.ts';
import { IntegrationError } from '../problems.ts';
import * as shapes from './apaleo-shapes.ts';
import { askCloud, bodyOf, type CloudAnswer, hotelBases, localDay, refusedBooking } from './ask.ts';
import { type Booked, type CloudHotel, type CloudPosting, NotSent } from './system.ts';

/**
 * Apaleo by its REST interface, built from excerpts of its documentation, read in November 2026, and its published models of
 * about 2020. Not checked, for lack of an account at Apaleo: the length of receipts, and allowances on folios that are closed.
 */

const perPage = 200;
const maxGuests = 20_000;
/** Apaleo forgets the keys of requests after 24 hours. */
const keyHours = 20;
const hookTopics = ['reservation/*'];

interface Request {
  readonly base?: 'apaleo' | 'apaleo-webhook';
  readonly method?: 'GET' | 'POST';
  readonly body?: object;
  /** The same request with the same key is carried out once. */
  readonly key?: string;
  readonly signal?: AbortSignal | undefined;
}

/** Guests have no id of their own. The first of a reservation stays the same, also when the name is corrected. */
const profileNumber = (it: shapes.Guest, isFirst: boolean): string =>
  isFirst
    ? 'first'
    : createHash('sha256').update([it.firstName, it.lastName, it.birthDate].join('|')).digest('hex').slice(0, 16);

const hasCharge = (folio: shapes.Folio, reference: string): boolean =>
  folio.charges?.some(charge => JSON.stringify(charge.receipt ?? '').includes(reference)) ?? false;

export class Apaleo implements CloudHotel {
  private readonly app: App;
  private readonly it: ApaleoConnection;
  private token: { text: string; until: number } | undefined;

  constructor(app: App, it: ApaleoConnection) {
    this.app = app;
    this.it = it;
  }

  private async signIn(signal?: AbortSignal): Promise<string> {
    if (this.token && steadyNow() < this.token.until) return this.token.text;
    const { client_id, client_secret } = this.it;
    const answer = await askCloud(this.app, {
      url: `${hotelBases['apaleo-identity']}/connect/token`,
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret }).toString(),
      signal,
    });
    // OAuth: a wrong client is a 400 or a 401.
    if (answer.status === 400 || answer.status === 401) throw new NotSent('login_refused');
    const { access_token, expires_in } = bodyOf(answer, shapes.token);
    this.token = { text: access_token, until: steadyNow() + Math.max(1, expires_in - 60) * 1000 };
    return access_token;
  }

  /** With a new token once, if the old one was refused. */
  private async ask(path: string, request: Request = {}): Promise<CloudAnswer> {
    const { base = 'apaleo', method = 'GET', body, key, signal } = request;
    const send = async () =>
      askCloud(this.app, {
        url: hotelBases[base] + path,
        method,
        headers: {
          authorization: `Bearer ${await this.signIn(signal)}`,
          accept: 'application/json',
          ...(body && { 'content-type': 'application/json' }),
          ...(key && { 'idempotency-key': key }),
        },
        body: body && JSON.stringify(body),
        signal,
      });
    const first = await send();
    if (first.status !== 401) return first;
    this.token = undefined;
    return send();
  }

  async readStays(timeZone: string, signal?: AbortSignal): Promise<HotelStay[]> {
    const { property_id } = this.it;
    const found = new Map<string, shapes.Reservation>();
    for (let page = 1, isLast = false; !isLast; page++) {
      const query = new URLSearchParams({
        propertyIds: property_id,
        status: 'InHouse',
        sort: 'id:asc',
        pageNumber: String(page),
        pageSize: String(perPage),
      });
      const answer = await this.ask(`/booking/v1/reservations?${query}`, { signal });
      // A page without reservations has no body.
      const { reservations, count } =
        answer.status === 204 ? { reservations: [], count: found.size } : bodyOf(answer, shapes.reservations);
      const before = found.size;
      for (const it of reservations) found.set(it.id, it);
      isLast = reservations.length < perPage;
      // The same page again and again would never end.
      if (!isLast && found.size === before) throw new IntegrationError('bad_answer', `page ${page}`);
      if (found.size > maxGuests) throw new IntegrationError('too_many_rows');
      // A check-out between two pages moves the rest up, so that a guest would be missing.
      if (isLast && found.size !== count) throw new IntegrationError('bad_answer', `${found.size} of ${count}`);
    }
    const all = [...found.values()];
    if (all.some(it => it.property.id !== property_id)) throw new IntegrationError('bad_answer', 'property');
    return all
      .filter(it => it.status === 'InHouse' && it.unit)
      .flatMap(it =>
        [it.primaryGuest, ...(it.additionalGuests ?? [])].flatMap((who, n) =>
          who ? [this.stayOf(it, who, n === 0, timeZone)] : [],
        ),
      );
  }

  private stayOf(it: shapes.Reservation, who: shapes.Guest, isFirst: boolean, timeZone: string): HotelStay {
    return {
      reservation: it.id,
      profile_number: profileNumber(who, isFirst),
      firstname: who.firstName ?? '',
      surname: who.lastName ?? '',
      room: it.unit!.name,
      arrival: localDay(it.checkInTime ?? it.arrival, timeZone),
      departure: localDay(it.departure, timeZone),
      birth_date: /^\d{4}-\d\d-\d\d/.exec(who.birthDate ?? '')?.[0] ?? null,
      id_number: who.identificationNumber ?? null,
      email: who.email ?? null,
      phone: who.phone ?? null,
      vip: null,
      rate: it.ratePlan?.code ?? null,
      shared: false,
      no_charges: false,
    };
  }

  private async foliosOf(reservation: string) {
    const query = new URLSearchParams({ reservationIds: reservation, expand: 'charges,allowances' });
    const answer = await this.ask(`/finance/v1/folios?${query}`);
    return answer.status === 204 ? [] : bodyOf(answer, shapes.folios).folios;
  }

  async findBooked({ reservation, reference, firstSentAt }: CloudPosting): Promise<Booked | undefined> {
    const folios = await this.foliosOf(reservation);
    const folio = folios.find(
      it => hasCharge(it, reference) || it.allowances?.some(allowance => allowance.reason?.includes(reference)),
    );
    // A charge may have been moved to the bill of a company. The key of the request still knows it, for a day.
    if (!folio && Date.now() - firstSentAt.getTime() > keyHours * 3_600_000)
      throw new IntegrationError('refused', 'sent a day ago');
    return folio && { state: 'posted', bill: folio.id };
  }

  async book({ reservation, amount, currency, words, reference, charge }: CloudPosting) {
    if (amount > 0) {
      const found = await this.ask(`/booking/v1/reservations/${encodeURIComponent(reservation)}`);
      const isHere = found.status !== 404 && bodyOf(found, shapes.reservation).status === 'InHouse';
      if (!isHere) return { state: 'refused' as const, answer: 'not in house' };
    }
    const folios = await this.foliosOf(reservation);
    // A folio that is closed, or whose invoice is made, takes no charges; the guest may have another one.
    const open = folios.filter(it => amount < 0 || (it.allowedActions?.includes('AddCharge') ?? true));
    // A reversal belongs to the folio of its charge, which may have been moved since. Else one bill would stay too
    // high and another one become too low.
    const ofCharge =
      charge && (open.find(it => hasCharge(it, charge.reference)) ?? open.find(it => it.id === charge.bill));
    const folio = ofCharge ?? open.find(it => it.isMainFolio) ?? open[0];
    if (!folio) return { state: 'refused' as const, answer: 'no open folio' };
    const common = {
      serviceType: 'Other',
      vatType: this.it.vat_type,
      amount: { amount: Math.abs(amount) / 100, currency: currency.toUpperCase() },
    };
    const answer = await this.ask(
      `/finance/v1/folio-actions/${encodeURIComponent(folio.id)}/${amount > 0 ? 'charges' : 'allowances'}`,
      {
        method: 'POST',
        key: reference,
        body:
          amount > 0
            ? { ...common, name: words.slice(0, 100), receipt: reference, quantity: 1 }
            : { ...common, reason: `${words.slice(0, 60)} ${reference}` },
      },
    );
    if (answer.status === 401) throw new NotSent('login_refused');
    const refused = refusedBooking(answer);
    if (refused) return refused;
    bodyOf(answer, z.object({ id: z.string().min(1) }));
    return { state: 'posted' as const, bill: folio.id };
  }

  async subscribe(url: string): Promise<void> {
    const known = await this.ask('/v1/subscriptions', { base: 'apaleo-webhook' });
    const list = known.status === 204 ? [] : bodyOf(known, shapes.subscriptions);
    if (list.some(it => it.endpointUrl === url)) return;
    const body = { endpointUrl: url, events: hookTopics, propertyIds: [this.it.property_id] };
    bodyOf(await this.ask('/v1/subscriptions', { base: 'apaleo-webhook', method: 'POST', body }), z.unknown());
  }

  async test() {
    const { property_id, currency } = this.it;
    const found = bodyOf(await this.ask(`/inventory/v1/properties/${property_id}`), shapes.property);
    if (currency && found.currencyCode.toLowerCase() !== currency)
      throw new IntegrationError('refused', `currency: ${found.currencyCode}`);
    const query = new URLSearchParams({ propertyIds: property_id, status: 'InHouse', pageNumber: '1', pageSize: '1' });
    const answer = await this.ask(`/booking/v1/reservations?${query}`);
    if (answer.status !== 204) bodyOf(answer, shapes.reservations);
    if (currency) {
      const folios = await this.ask(`/finance/v1/folios?propertyIds=${property_id}&pageNumber=1&pageSize=1`);
      if (folios.status !== 204) bodyOf(folios, shapes.folios);
    }
    return [{ name: 'hotel', value: typeof found.name === 'string' ? found.name : found.id }];
  }
}
