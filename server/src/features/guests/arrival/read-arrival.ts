import { type GuestArrival, guestArrival } from '@portico/contract/guest-forms.ts';
import { formatMac } from '@portico/contract/mac.ts';
import type { FastifyRequest } from 'fastify';
import { unstorable } from '#http/unstorable.ts';
import { captiveOrigin } from '#lib/origins.ts';
import type { TextQuery } from '#routers/driver.ts';
import { unsignedArrival } from '#routers/unsigned-arrival.ts';
import type { ClientInfo } from '../client-info.ts';
import { secretReader } from '../guest-context.ts';
import type { GuestServices } from '../guest-services.ts';
import type { Visit } from '../guest-state.ts';
import { visitOfBrowser } from '../online/visit-cookie.ts';
import { noteUnsigned } from './note-arrival.ts';

type Query = Readonly<Record<string, unknown>>;

/** The portal's own query. No router sends text that cannot be stored, so a query with such text counts as empty. */
export function parseArrival(query: unknown): GuestArrival {
  const arrival = guestArrival.parse(query);
  return unstorable(arrival) === undefined ? arrival : guestArrival.parse({});
}

/** The storable text values of a query. */
export const textQuery = (query: unknown): TextQuery =>
  Object.fromEntries(
    Object.entries((query ?? {}) as Query).filter(
      (pair): pair is [string, string] => typeof pair[1] === 'string' && unstorable(pair[1]) === undefined,
    ),
  );

/** The query of a guest at its device's portal address; brands with a query of their own translate it. */
export async function readArrival(
  services: GuestServices,
  nas: string,
  request: Pick<FastifyRequest, 'query' | 'url'>,
  client: ClientInfo,
): Promise<GuestArrival> {
  const arrival = await translateArrival(services, nas, request, client);
  if (!isOwnPage(nas, arrival.orig)) return arrival;
  const before = visitOfBrowser(services.app, nas, client)?.visit;
  return { ...arrival, orig: before && before.mac === formatMac(arrival.mac) ? before.orig : '' };
}

/** After a refusal, a router names the page to which the sign-in would have led, in place of the one that the guest wanted to see. */
const isOwnPage = (nas: string, orig: string): boolean => URL.parse(orig)?.pathname.startsWith(`/w/${nas}/`) ?? false;

async function translateArrival(
  { app, findDriver, findContext }: GuestServices,
  nas: string,
  { query, url }: Pick<FastifyRequest, 'query' | 'url'>,
  { referrer }: ClientInfo,
): Promise<GuestArrival> {
  const arrival = parseArrival(query);
  const driver = await findDriver(nas);
  if (!driver?.readArrival) return arrival;
  const device = await findContext(nas, { mac: '', ip: '' });
  if (!device) return arrival;
  const read = driver.readArrival({
    query: textQuery(query),
    arrival,
    referrer,
    url: captiveOrigin(app.settings, device.tenant_slug) + url,
    device,
    secret: secretReader(app, device),
  });
  if (read === unsignedArrival) await noteUnsigned(app, device);
  return read;
}

/** The arrival as later pages carry it. An address that is too long for that is dropped. */
export const visitOf = (nas: string, arrival: GuestArrival): Visit => ({
  nas,
  mac: formatMac(arrival.mac),
  ip: arrival.ip.slice(0, 45),
  login: arrival.login,
  orig: arrival.orig.length > 600 ? '' : arrival.orig,
});
