import { isMadeUpMac } from '@portico/contract/mac.ts';
import type { Provider } from '@portico/contract/portal-providers.ts';
import type { ClientInfo } from '../client-info.ts';
import type { GuestAnswer } from '../guest-answer.ts';
import type { GuestRequest } from '../guest-context.ts';
import type { GuestServices } from '../guest-services.ts';
import { type Frame, offeredMethods } from '../guest-views.ts';
import { admitGuest } from '../sign-in/admit.service.ts';
import { agreementVersion, hasAgreed } from '../sign-in/consents.queries.ts';
import { chooseSessionToEnd } from '../sign-in/device-limit.service.ts';
import { refusalMessage } from '../sign-in/refusal-values.ts';
import { findRefusal } from '../sign-in/refusals.queries.ts';
import { signInPage } from '../sign-in/sign-in-page.ts';
import { isPseudoMac } from './anonymous-device.ts';
import { findRemembered, type RememberedRow } from './remembered.queries.ts';
import { daySeconds, tokenHashOf } from './remembered.service.ts';

/**
 * Whether a remembered sign-in applies to this guest. A cookie counts on the device that got it, if the device was unknown
 * then, or if both MACs are random, as phones change theirs. A MAC alone can be copied: it counts only if the operator allows
 * it, and a random MAC only for a day.
 */
function appliesTo(row: RememberedRow, mac: string, { options }: Provider): boolean {
  if (options.remember === 'off' || row.age > options.remember_days * daySeconds) return false;
  if (row.by_cookie) return row.mac === mac || isPseudoMac(row.mac) || (isMadeUpMac(row.mac) && isMadeUpMac(mac));
  return options.remember === 'mac' && row.mac === mac && (!isMadeUpMac(mac) || row.age <= daySeconds);
}

/** Admits a remembered guest without a sign-in; undefined for a guest who has to sign in. */
export async function readmitReturning(
  services: GuestServices,
  frame: Frame,
  request: GuestRequest,
  client: ClientInfo,
): Promise<GuestAnswer | undefined> {
  const { app } = services;
  const { context, visit } = request;
  const offered = offeredMethods(context.portal, app.settings).filter(it => it.options.remember !== 'off');
  if (!offered.length) return undefined;
  const known = await app.db.withTenant(context.tenantId, async tx => {
    const tokenHash = tokenHashOf(app, context.location_id, client);
    const rows = await findRemembered(tx, { locationId: context.location_id, tokenHash, mac: visit.mac });
    const row = rows.find(it =>
      offered.some(provider => provider.slug === it.provider_slug && appliesTo(it, visit.mac, provider)),
    );
    if (!row) return undefined;
    const visitorId = row.visitor_id;
    // Changed agreements have to be accepted again.
    const version = agreementVersion(context.portal);
    if (version && !(await hasAgreed(tx, visitorId, version))) return undefined;
    const guest = { visitorId, deviceId: context.device_id, mac: visit.mac, ip: visit.ip };
    const slug = row.provider_slug as Provider['slug'];
    return { slug, visitorId, byAddress: !row.by_cookie, problem: await findRefusal(tx, guest) };
  });
  if (!known) return undefined;
  const { slug, visitorId, byAddress, problem } = known;
  // Free access may start again; the guest has to press the button for that.
  if (problem === 'expired' && (slug === 'temp' || slug === 'email')) return undefined;
  const guest = { slug, visitorId, email: null, phone: null, agreed: null, byAddress };
  if (!problem) return admitGuest(services, frame, request, guest, client);
  // A MAC proves no identity, so it does not allow ending that visitor's sessions.
  const choice =
    problem === 'over_limit' && !byAddress ? await chooseSessionToEnd(services, frame, request, guest) : undefined;
  if (choice) return choice;
  const refusal = await refusalMessage(app, context, visitorId, problem);
  return signInPage(services, frame, request, { ...refusal, chosen: slug });
}
