import type { ProviderSlug } from '@portico/contract/portal-providers.ts';
import { issueTicket } from '#features/sessions/public.ts';
import { recordAgent } from '#features/statistics/public.ts';
import { keepContact } from '#features/visitors/public.ts';
import { goOnAddress } from '../arrival/addresses.ts';
import { standInOf } from '../arrival/anonymous-device.ts';
import type { GuestAnswer, Guests, Standing } from '../arrival/check-arrival.ts';
import { seeAgain } from '../arrival/remembered.queries.ts';
import { rememberGuest } from '../arrival/remembered.service.ts';
import type { From } from '../client-info.ts';
import type { Frame } from '../guest-views.ts';
import { agreementVersion, keepConsent } from './consents.queries.ts';
import { handOver } from './hand-over.service.ts';
import { isPlain } from './router-form.ts';

/** Who has proved to be whom, and by which method. */
export interface Proven {
  readonly visitorId: string;
  readonly slug: ProviderSlug;
  readonly email: string | null;
  readonly phone: string | null;
  /** The version of the agreements that was just ticked. */
  readonly agreed: string | null;
  /** Nothing was proved: the device's address is that of a guest who was here. Anyone can name it, so it opens the way only. */
  readonly byAddress?: boolean;
}

// Without script there is a page to read and a button to press on the way.
const pressSeconds = 300;

/** Sends the guest back to its router with a ticket. */
export async function letIn(
  guests: Guests,
  frame: Frame,
  at: Standing,
  guest: Proven,
  from: From,
): Promise<GuestAnswer> {
  const { app } = guests;
  const { door, state } = at;
  const { visitorId, slug } = guest;
  const { ticket, remembering } = await app.db.withTenant(door.tenantId, async tx => {
    await recordAgent(tx, { locationId: door.location_id, deviceId: door.device_id, userAgent: from.userAgent });
    if (guest.email || guest.phone) await keepContact(tx, visitorId, guest);
    const version = guest.agreed;
    if (version && version === agreementVersion(door.portal)) {
      const of = { visitorId, locationId: door.location_id, mac: state.mac, version, language: frame.language };
      await keepConsent(tx, door.portal, of);
    }
    const issued = await issueTicket(tx, {
      locationId: door.location_id,
      deviceId: door.device_id,
      visitorId,
      // A Sophos guest's device is known by an earlier sign-in at best, and a phone's address changes.
      mac: door.brand === 'sophos' ? null : state.mac,
      standsFor: standInOf(app, at, from),
      ...(isPlain(door, at.login) && { seconds: pressSeconds }),
      providerSlug: slug,
      redirect: goOnAddress(state.orig) ?? '',
    });
    if (!guest.byAddress) return { ticket: issued, remembering: await rememberGuest(app, tx, at, guest, from) };
    await seeAgain(tx, { locationId: door.location_id, mac: state.mac });
    return { ticket: issued, remembering: undefined };
  });
  const answer = await handOver(guests, frame, at, {
    username: ticket,
    visitorId: guest.byAddress ? null : visitorId,
  });
  return 'redirect' in answer && remembering ? { ...answer, remembering } : answer;
}
