import {
  type Booking,
  type HotelAnswer,
  type HotelRequest,
  momentOf,
  type Person,
  startCloudHotel,
} from './cloud-hotel.ts';

/**
 * A property at Apaleo, as excerpts of its documentation (read in November 2026) and its published models (about 2020) describe
 * it: client credentials, pages by number with a total, 204 for an empty page, charges with a key for repeats. Not checked
 * against a real one.
 */

export const apaleoClient = { client_id: 'PORTICO-1', client_secret: 'client-secret' };
export const apaleoProperty = 'MUC';

export async function startApaleo() {
  const keys = new Map<string, HotelAnswer>();
  const tokens = new Set<string>();
  const subscriptions: { id: string; endpointUrl: string; events: string[]; propertyIds: string[] }[] = [];

  const guestOf = (it: Person) => ({
    firstName: it.first,
    lastName: it.last,
    email: 'guest@hotel.example',
    ...(it.birth && { birthDate: it.birth }),
    ...(it.id && { identificationNumber: it.id, identificationType: 'PassportNumber' }),
  });
  const reservationOf = (it: Booking) => ({
    id: it.id,
    bookingId: it.id.split('-')[0],
    status: it.isOut ? 'CheckedOut' : 'InHouse',
    property: { id: pms.property, code: 'MUC', name: 'Hotel' },
    unit: { id: `MUC-${it.room}`, name: it.room, unitGroupId: 'MUC-DBL' },
    ratePlan: { id: `MUC-${it.rate ?? 'BAR'}`, code: it.rate ?? 'BAR' },
    arrival: momentOf(it.from, 14).replace('.000Z', '+00:00'),
    departure: momentOf(it.to, 9).replace('.000Z', '+00:00'),
    checkInTime: momentOf(it.from, 15).replace('.000Z', '+00:00'),
    primaryGuest: guestOf(it.people[0]!),
    additionalGuests: it.people.slice(1).map(guestOf),
  });

  function token({ body, headers }: HotelRequest): HotelAnswer {
    const form = new URLSearchParams(body);
    const isRight =
      headers['content-type'] === 'application/x-www-form-urlencoded' &&
      form.get('grant_type') === 'client_credentials' &&
      form.get('client_id') === apaleoClient.client_id &&
      form.get('client_secret') === apaleoClient.client_secret;
    if (!isRight) return { status: 400, body: { error: 'invalid_client' } };
    const made = `token-${tokens.size + 1}`;
    tokens.add(made);
    return { status: 200, body: { access_token: made, expires_in: 3600, token_type: 'Bearer' } };
  }

  function answer(asked: HotelRequest): HotelAnswer {
    const { method, path, query, headers, body } = asked;
    if (path === '/connect/token') return token(asked);
    const given = headers.authorization?.replace('Bearer ', '') ?? '';
    if (!tokens.has(given) || pms.ended.has(given)) return { status: 401 };
    if (path === '/v1/subscriptions') {
      if (method === 'GET') return subscriptions.length ? { status: 200, body: subscriptions } : { status: 204 };
      subscriptions.push({ id: String(subscriptions.length), ...JSON.parse(body) });
      return { status: 201, body: { id: String(subscriptions.length - 1) } };
    }
    if (path.startsWith('/inventory/v1/properties/'))
      return path.endsWith(`/${apaleoProperty}`)
        ? { status: 200, body: { id: apaleoProperty, name: { en: 'Hotel at Apaleo' }, currencyCode: 'EUR' } }
        : { status: 404, body: { messages: ['The property does not exist.'] } };
    if (path === '/booking/v1/reservations') return reservations(query);
    if (path.startsWith('/booking/v1/reservations/')) {
      const it = pms.bookings.get(decodeURIComponent(path.split('/').at(-1)!));
      return it ? { status: 200, body: reservationOf(it) } : { status: 404 };
    }
    if (path === '/finance/v1/folios') return folios(query);
    const action = /^\/finance\/v1\/folio-actions\/([^/]+)\/(charges|allowances)$/.exec(path);
    if (action && method === 'POST')
      return once(String(headers['idempotency-key'] ?? ''), () => post(action[1]!, action[2]!, body));
    return { status: 404 };
  }

  function reservations(query: URLSearchParams): HotelAnswer {
    const [page, size] = [Number(query.get('pageNumber')), Math.min(Number(query.get('pageSize')), pms.perPage)];
    const all = [...pms.bookings.values()]
      .map(reservationOf)
      .filter(it => it.status === query.get('status') && query.get('propertyIds') === apaleoProperty);
    const rows = all.slice((page - 1) * size, page * size);
    pms.afterPage?.(page);
    return rows.length ? { status: 200, body: { reservations: rows, count: all.length } } : { status: 204 };
  }

  function folios(query: URLSearchParams): HotelAnswer {
    const it = pms.bookings.get(query.get('reservationIds') ?? '');
    if (!it) return { status: 204 };
    const on = (number: number) => pms.bill.filter(item => item.folio === `${it.id}-${number}`);
    const isExpanded = query.get('expand') === 'charges,allowances';
    const folio = (number: number, allowedActions: string[]) => ({
      id: `${it.id}-${number}`,
      isMainFolio: number === 1,
      allowedActions,
      ...(isExpanded && {
        charges: on(number).flatMap(it =>
          it.amount > 0 ? [{ id: 'X', receipt: pms.hidesReceipts ? null : it.reference }] : [],
        ),
        allowances: on(number).flatMap(it => (it.amount < 0 ? [{ id: 'Y', reason: it.text }] : [])),
      }),
    });
    const [closed, open] = [['ClearFolio'], ['AddCharge', 'AddAllowance']];
    const folios = [folio(1, pms.isMainClosed ? closed : open), ...(pms.hasSecond ? [folio(2, open)] : [])];
    return { status: 200, body: { count: folios.length, folios } };
  }

  /** The answer to a key stays the same. */
  function once(key: string, work: () => HotelAnswer): HotelAnswer {
    const known = keys.get(key);
    if (known) return known;
    const told = work();
    if (key && told.status < 300) keys.set(key, told);
    return told;
  }

  function post(folio: string, kind: string, text: string): HotelAnswer {
    const body = JSON.parse(text);
    if (pms.isMainClosed && folio.endsWith('-1')) return { status: 422, body: { messages: ['The folio is closed.'] } };
    const reservation = folio.replace(/-[12]$/, '');
    const isCharge = kind === 'charges';
    const { amount, currency } = body.amount ?? {};
    if (body.serviceType !== 'Other' || !body.vatType || !(amount > 0) || !(isCharge ? body.name : body.reason))
      return { status: 422, body: { messages: ['Something is missing.'] } };
    pms.bill.push({
      reservation,
      folio,
      reference: isCharge ? body.receipt : body.reason.split(' ').at(-1),
      amount: Math.round(amount * 100) * (isCharge ? 1 : -1),
      currency,
      text: isCharge ? body.name : body.reason,
    });
    return { status: 200, body: { id: `C-${pms.bill.length}` } };
  }

  const started = await startCloudHotel(answer, it => /\/(charges|allowances)$/.test(it.path));
  const pms = Object.assign(started, {
    perPage: 200,
    /** The invoice of the first folio is made; the guest may have a second one. */
    isMainClosed: false,
    hasSecond: false,
    /** Charges do not tell their receipts. */
    hidesReceipts: false,
    property: apaleoProperty,
    keys,
    subscriptions,
    /** Tokens that are no longer taken. */
    ended: new Set<string>(),
    tokens,
    afterPage: undefined as ((page: number) => void) | undefined,
  });
  return pms;
}
