import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';

/** Shared parts of the stand-ins for hotel systems in the cloud. They do not use the product's code. */

export interface Person {
  first: string;
  last: string | null;
  birth?: string;
  id?: string;
  vip?: string;
}
export interface Booking {
  id: string;
  room: string;
  people: Person[];
  /** Days from today. */
  from: number;
  to: number;
  rate?: string;
  isOut?: boolean;
}
interface BillItem {
  readonly reservation: string;
  /** The bill of the guest that has it, where there are several. An employee of the hotel may move it. */
  folio?: string;
  readonly reference: string;
  /** In minor units; what is taken back is below 0. */
  readonly amount: number;
  readonly currency: string;
  readonly text: string;
}

export interface HotelRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** When, in milliseconds. */
  readonly at: number;
}
export interface HotelAnswer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

/** Departures must not move by themselves while a test runs over midnight. */
const today = Date.now();
export const momentOf = (days: number, hour: number): string => {
  const at = new Date(today + days * 86_400_000);
  at.setUTCHours(hour, 0, 0, 0);
  return at.toISOString();
};

/** `answer` is the system itself; `state` says how the way to it behaves. */
export async function startCloudHotel(
  answer: (asked: HotelRequest) => HotelAnswer,
  books: (asked: HotelRequest) => boolean,
) {
  const state = {
    bookings: new Map<string, Booking>(),
    bill: [] as BillItem[],
    heard: [] as HotelRequest[],
    /** Instead of an answer to every question. */
    instead: undefined as HotelAnswer | 'garbage' | 'silence' | 'hang' | undefined,
    /** Questions without an answer that were given up. */
    givenUp: 0,
    /** Instead of an answer to so many bookings of charges. */
    loses: 0,
    /** Bookings that are lost are carried out all the same. */
    losesAfter: true,
    refusesBooking: undefined as HotelAnswer | undefined,
    url: '',
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { pathname: path, searchParams: query } = new URL(request.url ?? '/', 'http://x');
    const asked: HotelRequest = {
      method: request.method ?? '',
      path,
      query,
      headers: request.headers,
      body: Buffer.concat(parts).toString('utf8'),
      at: Date.now(),
    };
    state.heard.push(asked);
    if (state.instead === 'silence') return response.destroy();
    if (state.instead === 'hang') return response.on('close', () => (state.givenUp += 1));
    const isBooking = books(asked);
    if (isBooking && state.loses > 0) {
      state.loses -= 1;
      if (state.losesAfter) answer(asked);
      return response.destroy();
    }
    const told =
      state.instead === 'garbage'
        ? undefined
        : (state.instead ?? (isBooking && state.refusesBooking ? state.refusesBooking : answer(asked)));
    response.writeHead(told?.status ?? 200, { 'content-type': 'application/json', ...told?.headers });
    return response.end(told ? (told.body === undefined ? '' : JSON.stringify(told.body)) : '<html>{"Reservations":');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  state.url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  return state;
}
