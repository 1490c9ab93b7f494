import type { FieldName } from '@portico/contract/guest-fields.ts';
import type { GuestArrival } from '@portico/contract/guest-forms.ts';
import { guestChoice } from '@portico/contract/guest-forms.ts';
import type { GuestProblem } from '@portico/contract/guest-problems.ts';
import { allowedProviders, findWaysToPay, type WaysToPay } from '#features/integrations/public.ts';
import { listOffered, type OfferedPackage } from '#features/packages/public.ts';
import type { App } from '#lib/app.ts';
import { newId } from '#lib/ids.ts';
import { formTargets } from '../arrival/addresses.ts';
import { checkArrival } from '../arrival/check-arrival.ts';
import { visitOf } from '../arrival/read-arrival.ts';
import type { ClientInfo } from '../client-info.ts';
import type { GuestAnswer } from '../guest-answer.ts';
import type { GuestContext, GuestRequest } from '../guest-context.ts';
import type { GuestServices } from '../guest-services.ts';
import { packState, type StateOf } from '../guest-state.ts';
import { agreementsOf, type Frame, pageLink, problemView } from '../guest-views.ts';
import { keptPageOf, type RefusedPurchase } from '../kept-page.ts';
import { agreementVersion } from '../sign-in/consents.queries.ts';
import { passThrough } from '../sign-in/hand-over.service.ts';
import { isProblem } from '../sign-in/sign-in-page.ts';
import type { HotelGuest } from './buy.queries.ts';
import { buyLink, buyPage, offerView, orderFor } from './buy-views.ts';
import { signedInGuest } from './room-guest.ts';

const noWays: WaysToPay = { card: false, rooms: [] };

/**
 * The packages that guests of a location can buy now, and the ways to pay. A package that cannot be paid in its currency is
 * not offered.
 */
export async function offersAt(
  app: App,
  { tenantId, location_id: locationId }: Pick<GuestContext, 'tenantId' | 'location_id'>,
) {
  return app.db.readTenant(tenantId, async tx => {
    const ways = await findWaysToPay(tx, locationId, allowedProviders(app));
    const all = await listOffered(tx, locationId);
    return { ways, offers: all.filter(it => ways.card || ways.rooms.includes(it.currency)) };
  });
}

/** The packages, or the summary of the chosen one. Prices are those of now; the summary signs them. */
export async function showOffers(
  services: GuestServices,
  frame: Frame,
  nas: string,
  arrival: GuestArrival,
  query: unknown,
  client: ClientInfo,
): Promise<GuestAnswer> {
  const visit = visitOf(nas, arrival);
  const request = await checkArrival(services, frame, visit);
  if ('refused' in request) return request.refused;
  const { context } = request;
  if (context.bypassed) return passThrough(services, frame, request);
  const { offers, ways } = context.sells ? await offersAt(services.app, context) : { offers: [], ways: noWays };
  if (!offers.length) return { view: problemView(frame, { problem: 'not_found', context }), status: 404 };
  const choice = guestChoice.parse(query);
  const chosen = offers.find(it => it.id === choice.package);
  const days = chosen && daysOf(chosen, choice.days);
  if (chosen && days) {
    const kept = keptPageOf(services.app, nas, client, request.visit.mac)?.purchase;
    const refused = kept?.refused?.package === chosen.id && kept.refused.days === days ? kept.refused : undefined;
    const agreed = kept !== undefined && kept.agree === agreementVersion(context.portal);
    const typed = {
      ...(kept ?? nothingTyped),
      byRoom: kept?.pay === 'room',
      agreed,
      ...problemOf(refused, arrival.problem),
    };
    const roomGuest = ways.rooms.includes(chosen.currency)
      ? await signedInGuest(services.app, request, client)
      : undefined;
    const { purchase = newId(), roomPurchase = newId() } = refused ?? {};
    const at = { days, purchase, roomPurchase, ways, roomGuest, typed };
    return confirmPage(services, frame, request, chosen, at);
  }
  const at = {
    step: 'choose' as const,
    action: `/w/${nas}/buy`,
    hidden: { mac: visit.mac, ip: visit.ip, login: visit.login, orig: visit.orig, lang: frame.language },
    offers: offers.map(it => offerView(it, frame.language)),
    restore: pageLink(`/w/${nas}/restore`, visit, `lang=${frame.language}`),
  };
  return buyPage(frame, context, at, { visit, languageLink: pageLink(`/w/${nas}/buy`, visit) });
}

/** The chosen days, if the package offers them; the fewest if none were chosen. */
function daysOf({ min_days, max_days }: OfferedPackage, typed: string): number | undefined {
  const days = typed === '' ? min_days : /^\d+$/.test(typed) ? Number(typed) : 0;
  return days >= min_days && days <= max_days ? days : undefined;
}

const nothingTyped = { email: '', phone: '' };

/** The refusal of the last form, if the page is still the one to which it led; at least its name for browsers without cookies. */
function problemOf(
  refused: RefusedPurchase | undefined,
  named: string,
): Pick<Typed, 'problem' | 'problemValues' | 'wrong' | 'status'> {
  if (refused?.problem === named) {
    const { problem, values, wrong, status } = refused;
    return { problem, problemValues: values, wrong, status };
  }
  return { problem: isProblem(named) && named !== 'too_many' ? named : null, wrong: [] };
}

export interface Typed {
  readonly email: string;
  readonly phone: string;
  readonly room?: string;
  readonly surname?: string;
  readonly byRoom?: boolean;
  readonly agreed: boolean;
  readonly wrong: readonly FieldName[];
  readonly problem: GuestProblem | null;
  readonly problemValues?: Record<string, string | number>;
  readonly status?: number;
}

/** The summary with the button that buys. */
export function confirmPage(
  { app }: GuestServices,
  frame: Frame,
  { context, login, visit }: GuestRequest,
  chosen: OfferedPackage,
  it: {
    days: number;
    purchase: string;
    roomPurchase: string;
    ways: WaysToPay;
    roomGuest: HotelGuest | undefined;
    typed: Typed;
  },
): GuestAnswer {
  const { nas } = visit;
  const { days, purchase, roomPurchase, ways, roomGuest, typed } = it;
  const terms = { price: chosen.price, currency: chosen.currency, taxRate: chosen.tax_rate };
  const state: StateOf<'buy'> = { step: 'buy', visit, purchase, roomPurchase, package: chosen.id, days, ...terms };
  const at = {
    step: 'confirm' as const,
    action: `/w/${nas}/buy`,
    state: packState(app.secrets, state),
    order: orderFor(chosen, days, frame.language),
    agreements: agreementsOf(context.portal),
    agree: agreementVersion(context.portal),
    agreed: typed.agreed,
    email: typed.email,
    phone: typed.phone,
    byCard: ways.card,
    room: ways.rooms.includes(chosen.currency)
      ? {
          known: roomGuest?.currency === chosen.currency ? roomGuest.room_number : null,
          number: typed.room ?? '',
          surname: typed.surname ?? '',
          chosen: !ways.card || (typed.byRoom ?? false),
        }
      : null,
    wrong: typed.wrong,
    change: buyLink(visit, frame.language),
  };
  const languageLink = pageLink(`/w/${nas}/buy`, visit, `package=${chosen.id}&days=${days}&lang={lang}`);
  return buyPage(frame, context, at, {
    visit,
    languageLink,
    problem: typed.problem,
    problemValues: typed.problemValues ?? {},
    status: typed.status ?? 200,
    formTarget: formTargets(login, context.portal),
  });
}
