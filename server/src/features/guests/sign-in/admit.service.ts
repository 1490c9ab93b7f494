import type { ProviderSlug } from '@portico/contract/portal-providers.ts';
import { issueTicket } from '#features/sessions/public.ts';
import { keepContact } from '#features/visitors/public.ts';
import { goOnAddress } from '../arrival/addresses.ts';
import { pseudoMacOf } from '../arrival/anonymous-device.ts';
import { rememberedBy } from '../arrival/remembered.service.ts';
import type { ClientInfo } from '../client-info.ts';
import { type GuestAnswer, withCookies } from '../guest-answer.ts';
import type { GuestRequest } from '../guest-context.ts';
import type { GuestServices } from '../guest-services.ts';
import { formTicketSeconds } from '../guest-state.ts';
import type { Frame } from '../guest-views.ts';
import { browserMark } from '../same-browser.ts';
import { agreementVersion, keepConsent } from './consents.queries.ts';
import { handOver, usesForm } from './hand-over.service.ts';
import { type Allowed, keepAllowed } from './marketing.ts';
import type { Use } from './methods/method.ts';
import type { ShownAgain } from './page-message.ts';

/** A guest whose identity a sign-in method has verified. */
export interface VerifiedGuest {
  readonly visitorId: string;
  readonly slug: ProviderSlug;
  readonly email: string | null;
  readonly phone: string | null;
  /** The version of the agreements that was just accepted. */
  readonly agreed: string | null;
  /** The channels for news and offers that were just allowed. */
  readonly allowed?: readonly Allowed[] | undefined;
  /** Recognised by its MAC alone, which can be copied. Such a guest is admitted, but neither sees nor changes the visitor's data. */
  readonly byAddress?: boolean;
  /** Uses up what is valid once. */
  readonly use?: Use | undefined;
  readonly shownAgain?: ShownAgain;
}

/** Issues a ticket and sends the guest back to its router. */
export async function admitGuest(
  services: GuestServices,
  frame: Frame,
  request: GuestRequest,
  guest: VerifiedGuest,
  client: ClientInfo,
): Promise<GuestAnswer> {
  const { app } = services;
  const { context, visit } = request;
  const { visitorId, slug } = guest;
  const { location_id: locationId, device_id: deviceId } = context;
  const { ticket, cookie, giveBack } = await services.withOthers(context.tenantId, async tx => {
    const undo = await guest.use?.(tx);
    if ((guest.email || guest.phone) && !guest.byAddress) await keepContact(tx, visitorId, guest);
    const version = guest.agreed;
    if (version && version === agreementVersion(context.portal)) {
      const consent = { visitorId, locationId, mac: visit.mac, version, language: frame.language };
      await keepConsent(tx, context.portal, consent);
    }
    if (!guest.byAddress) {
      const { email, phone, allowed = [] } = guest;
      const person = { tenantId: context.tenantId, visitorId, locationId, mac: visit.mac, email, phone };
      await keepAllowed(app, tx, context.portal, person, { allowed, source: 'sign-in' });
    }
    const remember = guest.byAddress ? undefined : await rememberedBy(app, tx, request, guest, client);
    const issued = await issueTicket(tx, {
      locationId,
      deviceId,
      visitorId,
      // A MAC from an earlier sign-in may be outdated, so the ticket is not bound to it.
      mac: context.driver.tellsMac ? visit.mac : null,
      pseudoMac: pseudoMacOf(app, request, client),
      ...(usesForm(request) && { seconds: formTicketSeconds }),
      ...(usesForm(request) && !frame.takesCookies && { browser: browserMark(app, frame.client) }),
      providerSlug: slug,
      loginHost: context.hotspot_address ? null : request.login.hostname,
      redirect: goOnAddress(visit.orig) ?? '',
      byAddress: guest.byAddress ?? false,
      remember,
    });
    return { ticket: issued, cookie: remember?.cookie, giveBack: undo };
  });
  services.agents.add({ tenantId: context.tenantId, locationId, deviceId, userAgent: client.userAgent });
  const proof = { ticket, visitorId: guest.byAddress ? null : visitorId };
  let isLetIn = false;
  try {
    const answer = await handOver(services, frame, request, proof, guest.shownAgain);
    isLetIn = 'redirect' in answer;
    return isLetIn && cookie ? withCookies(answer, cookie) : answer;
  } finally {
    // A controller that does not answer must not cost the guest its code.
    if (giveBack && !isLetIn) await app.db.withTenant(context.tenantId, giveBack);
  }
}
