import type { FieldName } from '@portico/contract/guest-fields.ts';
import type { GuestBuyForm } from '@portico/contract/guest-forms.ts';
import type { App } from '#lib/app.ts';
import type { ClientInfo } from '../client-info.ts';
import type { GuestRequest } from '../guest-context.ts';
import { visitOfBrowser } from '../online/visit-cookie.ts';
import { latinDigits } from '../sign-in/methods/typed.ts';
import { beginGuess, perDevice } from '../sign-in/sign-in-throttle.ts';
import { isSurname } from '../sign-in/surname.ts';
import { findGuestsOfRoom, findHotelGuest, type HotelGuest } from './buy.queries.ts';

/** The hotel guest whose room is charged. */

/**
 * The guest that this browser signed in as. Only its cookie says that: the address of a device can be copied, and a copy must
 * not charge the neighbour's room.
 */
export async function signedInGuest(
  app: App,
  { context, visit }: GuestRequest,
  client: ClientInfo,
): Promise<HotelGuest | undefined> {
  const open = visitOfBrowser(app, visit.nas, client);
  const visitor = open?.visit.mac === visit.mac && open.visitor;
  if (!visitor) return undefined;
  return app.db.withTenant(context.tenantId, tx => findHotelGuest(tx, context.location_id, visitor));
}

type Found = HotelGuest | { readonly problem: 'missing' | 'wrong_details'; readonly wrong: readonly FieldName[] };

/** The guest who names room and surname. Guesses count together with those at the sign-in, so too many throw. */
export async function namedGuest(
  app: App,
  request: GuestRequest,
  form: Pick<GuestBuyForm, 'room_number' | 'last_name'>,
  client: ClientInfo,
): Promise<Found> {
  const missing = (['room_number', 'last_name'] as const).filter(name => !form[name]);
  if (missing.length) return { problem: 'missing', wrong: missing };
  const { tenantId, location_id: locationId } = request.context;
  const room = latinDigits(form.room_number).trim();
  const target = room.toLocaleUpperCase('tr');
  const guess = await beginGuess(app, request, { address: client.address, slug: 'room-number', target });
  try {
    const guests = await app.db.withTenant(tenantId, tx => findGuestsOfRoom(tx, locationId, room));
    const named = guests.filter(({ name, surname }) =>
      isSurname(form.last_name, { name, surname: surname === null ? undefined : app.secrets.read(surname) }),
    );
    // If two guests have one name, one may have charges forbidden.
    const found = named.find(({ currency }) => currency !== null) ?? named[0];
    if (!found) {
      await guess.failed();
      return { problem: 'wrong_details', wrong: ['room_number', 'last_name'] };
    }
    await guess.succeeded(perDevice);
    return found;
  } finally {
    await guess.end();
  }
}
