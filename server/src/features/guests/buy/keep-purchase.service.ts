import { guestBuyForm, guestBuyGo } from '@portico/contract/guest-forms.ts';
import { checkArrival } from '../arrival/check-arrival.ts';
import type { ClientInfo } from '../client-info.ts';
import type { GuestAnswer } from '../guest-answer.ts';
import { isLanguage } from '../guest-language.ts';
import type { GuestServices } from '../guest-services.ts';
import { unpackState } from '../guest-state.ts';
import { type Frame, pageLink, problemView } from '../guest-views.ts';
import { keptPageCookie, keptPageOf } from '../kept-page.ts';
import { purchaseForm } from './buy.service.ts';

/** Leads a guest who is filling in the summary to an agreement or to another language. The guest's input is kept. */
export async function keepPurchase(
  services: GuestServices,
  frame: Frame,
  nas: string,
  body: Record<string, unknown>,
  client: ClientInfo,
): Promise<GuestAnswer> {
  const { app } = services;
  const form = guestBuyForm.safeParse(body);
  const to = guestBuyGo.safeParse(body);
  const state = to.success ? unpackState(app.secrets, 'buy', to.data.state) : undefined;
  if (!form.success || !to.success || state?.visit.nas !== nas)
    return { view: problemView(frame, { problem: 'page_expired' }), status: 400 };
  const request = await checkArrival(services, frame, state.visit);
  if ('refused' in request) return request.refused;
  const { visit } = request;
  const { go } = to.data;
  const before = keptPageOf(app, nas, client, visit.mac);
  const last = before?.purchase?.refused;
  // The refusal that the guest sees in the form.
  const refused = last?.purchase === state.purchase ? last : undefined;
  const choice = `package=${state.package}&days=${state.days}${refused ? `&problem=${refused.problem}` : ''}`;
  const redirect = isLanguage(go)
    ? pageLink(`/w/${nas}/buy`, visit, `${choice}&lang=${go}`)
    : pageLink(`/w/${nas}/agreement/${go}`, visit, `${choice}&lang=${frame.language}`);
  const purchase = { ...purchaseForm(form.data), ...(refused && { refused }) };
  const kept = { ...before, mac: visit.mac, portal: visit.portal, purchase };
  return { redirect, cookies: [keptPageCookie(app, nas, kept)] };
}
