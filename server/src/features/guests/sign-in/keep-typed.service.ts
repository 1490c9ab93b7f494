import { guestGo, guestSignIn } from '@portico/contract/guest-forms.ts';
import type { PortalLanguage } from '@portico/contract/portal-languages.ts';
import { checkArrival } from '../arrival/check-arrival.ts';
import type { ClientInfo } from '../client-info.ts';
import type { GuestAnswer } from '../guest-answer.ts';
import type { PortalRow } from '../guest-context.queries.ts';
import { isLanguage } from '../guest-language.ts';
import type { GuestServices } from '../guest-services.ts';
import { unpackState } from '../guest-state.ts';
import { type Frame, pageLink, problemView } from '../guest-views.ts';
import { dropKeptPage, keptPageCookie, keptPageOf } from '../kept-page.ts';
import { tickedIn } from './marketing.ts';
import type { PageMessage } from './page-message.ts';
import { shownAgain } from './sign-in.service.ts';
import { isMethod, openMethod } from './sign-in-page.ts';

/**
 * Leads a guest who is filling in a form to the same page in another language or with another method open, or to an
 * agreement. The guest's input and the problem on the page are kept.
 */
export async function keepTyped(
  services: GuestServices,
  frame: Frame,
  nas: string,
  body: Record<string, unknown>,
  client: ClientInfo,
): Promise<GuestAnswer> {
  const { app } = services;
  const form = guestGo.safeParse(body);
  const state = form.success ? unpackState(app.secrets, 'sign-in', form.data.state) : undefined;
  if (!form.success || state?.visit.nas !== nas)
    return { view: problemView(frame, { problem: 'page_expired' }), status: 400 };
  const { visit } = state;
  const request = await checkArrival(services, frame, visit);
  if ('refused' in request) return request.refused;
  const { go } = form.data;
  const { message: before, code, status } = keptPageOf(app, nas, client, visit.mac) ?? {};
  const { problem, problemValues, wrong } = code ? {} : (before ?? {});
  const message: PageMessage = {
    ...(problem && { problem, problemValues, wrong }),
    ...typedOf(body, request.context.portal, frame.language),
    ...(isMethod(go) && { chosen: go, problem: undefined }),
  };
  const open = openMethod(frame, message.chosen);
  const toForm = (language: string) => pageLink(`/w/${nas}`, visit, `${open}step=form&lang=${language}`);
  // The methods first, because `sms` is the tag of a language too.
  const redirect = isMethod(go)
    ? toForm(frame.language)
    : isLanguage(go)
      ? toForm(go)
      : pageLink(`/w/${nas}/agreement/${go}`, visit, `${open}lang=${frame.language}`);
  const isEmpty = Object.keys(message).length === 0;
  const { portal } = request.visit;
  const cookies =
    isEmpty && !portal
      ? dropKeptPage(nas, client)
      : [keptPageCookie(app, nas, { mac: visit.mac, portal, message, ...(status && problem && { status }) })];
  return { redirect, cookies };
}

/** The open method and its values. */
function typedOf(body: Record<string, unknown>, portal: PortalRow, language: PortalLanguage): PageMessage {
  const form = guestSignIn.safeParse(body);
  if (!form.success) return {};
  const ticked = tickedIn(form.data, portal, language);
  return { chosen: form.data.method, values: shownAgain(form.data), ...(ticked.length && { ticked }) };
}
