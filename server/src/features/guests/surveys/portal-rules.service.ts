import type { GuestProblem } from '@portico/contract/guest-problems.ts';
import type { SurveyView } from '@portico/contract/guests.ts';
import type { PerLanguage } from '@portico/contract/portal-messages.ts';
import { isScale } from '@portico/contract/survey-scale.ts';
import { countSurvey, findGuestSurvey, type NamedQuestion, noteAsked, wasAsked } from '#features/portals/public.ts';
import { formTargets } from '../arrival/addresses.ts';
import { checkArrival } from '../arrival/check-arrival.ts';
import type { ClientInfo } from '../client-info.ts';
import type { GuestAnswer } from '../guest-answer.ts';
import type { PortalRow } from '../guest-context.queries.ts';
import type { GuestContext, GuestRequest } from '../guest-context.ts';
import type { GuestServices } from '../guest-services.ts';
import { packState, unpackState } from '../guest-state.ts';
import { common, type Frame, inLanguage, pageLink, placeView, problemView } from '../guest-views.ts';
import { keptPageOf } from '../kept-page.ts';
import type { OnlineRow } from '../online/online.queries.ts';
import { onlinePath } from '../online/online-link.ts';
import type { OpenVisit } from '../online/visit-cookie.ts';
import { noteRedirect, wasRedirected } from './redirects.queries.ts';

/** The portal's rules: surveys and redirects before a sign-in, after it, and when it failed. */

type Rule = PortalRow['rules'][number];
type Moment = Rule['state'];

/** The first rule for this moment and language. Later rules do not apply, even if this one shows nothing. */
export const ruleFor = (portal: PortalRow, moment: Moment, { language }: Frame) =>
  portal.rules.find(rule => rule.state === moment && (!rule.language || rule.language === language));

interface Asked {
  readonly moment: Moment;
  readonly surveyId: string;
  readonly visitorId: string | null;
  readonly problem?: GuestProblem;
  readonly values?: Readonly<Record<string, string | number>>;
  /** The ticket of a guest who is online. */
  readonly ticket?: string | undefined;
  /** Where another language is chosen, with `{lang}`; the address of the moment by default. */
  readonly languageLink?: string;
  /** The guest sees the page once more. */
  readonly again?: true;
}

type Place = Pick<GuestRequest, 'context' | 'visit'> & { readonly login?: URL };

/** The page of a survey; undefined if this guest has been asked already. */
export async function surveyPage(
  { app }: GuestServices,
  frame: Frame,
  { context, visit, login }: Place,
  { moment, surveyId, visitorId, problem, values = {}, ticket, again, languageLink: chosen }: Asked,
): Promise<GuestAnswer | undefined> {
  const { mac, nas } = visit;
  const shownAt = { locationId: context.location_id, deviceId: context.device_id };
  const survey = await app.db.withTenant(context.tenantId, async tx => {
    const { locationId } = shownAt;
    if (await wasAsked(tx, surveyId, { mac, visitorId, locationId })) return undefined;
    const row = await findGuestSurvey(tx, context.portal.id, surveyId);
    if (!row?.questions.length) return undefined;
    if (!again && frame.isReal) await countSurvey(tx, row.id, shownAt, 'shown');
    return row;
  });
  if (!survey) return undefined;
  const byMoment = {
    before_login: pageLink(`/w/${nas}`, visit),
    login_successful: `${onlinePath(nas, { isNew: true })}&lang={lang}`,
    login_failed: `${surveyPath(nas)}?lang={lang}`,
  };
  const state = packState(app.secrets, { step: 'survey', visit, survey: survey.id, moment, ...(ticket && { ticket }) });
  const view: SurveyView = {
    page: 'survey',
    ...common(frame),
    languageLink: chosen ?? byMoment[moment],
    ...placeView(context),
    action: surveyPath(nas),
    state,
    questions: survey.questions.map(it => questionView(it, frame, context.portal)),
    problem: problem ?? null,
    problemValues: values,
  };
  return {
    view,
    status: problem ? 422 : 200,
    ...(login && { formTarget: formTargets(login, context.portal) }),
    ...(problem && { address: { path: `${surveyPath(nas)}?`, kept: { mac, survey: { state, problem, values } } } }),
  };
}

export const surveyPath = (nas: string): string => `/w/${nas}/survey`;

/** The survey after a failed sign-in once more, or the form if the guest has answered it. */
export async function surveyAgain(
  services: GuestServices,
  frame: Frame,
  nas: string,
  client: ClientInfo,
): Promise<GuestAnswer> {
  const { survey } = keptPageOf(services.app, nas, client) ?? {};
  const state = survey && unpackState(services.app.secrets, 'survey', survey.state);
  if (!state || state.visit.nas !== nas) return { view: problemView(frame, { problem: 'page_expired' }), status: 400 };
  const request = await checkArrival(services, frame, state.visit);
  if ('refused' in request) return request.refused;
  const { problem, values = {} } = survey;
  const asked = {
    moment: state.moment,
    surveyId: state.survey,
    visitorId: null,
    problem,
    values,
    again: true,
  } as const;
  const page = await surveyPage(services, frame, request, asked);
  return page ?? { redirect: pageLink(`/w/${nas}`, state.visit, `step=form&lang=${frame.language}`) };
}

export function questionView(
  { id, label, type, answer_type, answers }: NamedQuestion,
  { language }: Frame,
  portal: PortalRow,
): SurveyView['questions'][number] {
  const textOf = (texts: PerLanguage) => inLanguage(texts, language, portal);
  return {
    id,
    label: textOf(label),
    kind: isScale({ type, answer_type, answers }) ? 'scale' : answers.length ? type : 'text',
    answers: answers.map(answer => ({ id: answer.id, label: textOf(answer.label), emoji: answer.emoji })),
  };
}

/** The rule's address in the guest's language, else its address for all languages, else that of another language. */
const addressOf = (rule: Rule | undefined, { language }: Frame): string | null =>
  rule ? rule.urls[language] || rule.url || inLanguage(rule.urls, language) || null : null;

/** Operators may enter host names and paths with letters such as ğ, which a header cannot contain. */
const redirectTo = (url: string): GuestAnswer => ({ redirect: URL.parse(url)?.href ?? url });

/** The rule before a sign-in. It redirects a guest once per visit, as the guest could never sign in otherwise. */
export async function beforeSignIn(
  services: GuestServices,
  frame: Frame,
  request: GuestRequest,
): Promise<GuestAnswer | undefined> {
  const { context, visit } = request;
  const rule = ruleFor(context.portal, 'before_login', frame);
  const address = addressOf(rule, frame);
  if (rule && address) {
    const redirect = { ruleId: rule.id, deviceId: context.device_id, mac: visit.mac };
    const isFirst = await services.app.db.withTenant(context.tenantId, async tx =>
      frame.isReal ? noteRedirect(tx, redirect) : !(await wasRedirected(tx, redirect)),
    );
    if (isFirst) return redirectTo(address);
  }
  if (!rule?.survey_id) return undefined;
  const asked = { moment: 'before_login', surveyId: rule.survey_id, visitorId: null } as const;
  return surveyPage(services, frame, request, asked);
}

/** The rule after a failed sign-in. */
export async function afterFailure(
  services: GuestServices,
  frame: Frame,
  request: GuestRequest,
  { problem, values = {} }: { problem: GuestProblem; values?: Asked['values'] },
): Promise<GuestAnswer | undefined> {
  const rule = ruleFor(request.context.portal, 'login_failed', frame);
  const address = addressOf(rule, frame);
  if (address) return redirectTo(address);
  if (!rule?.survey_id) return undefined;
  const asked = { moment: 'login_failed', surveyId: rule.survey_id, visitorId: null, problem, values } as const;
  return surveyPage(services, frame, request, asked);
}

/** Notes for the visitor the surveys that it answered before the sign-in: it is not asked again on another device. */
async function noteEarlier(
  { app }: GuestServices,
  { tenantId, portal }: GuestContext & { portal: PortalRow },
  mac: string,
  visitorId: string | null,
): Promise<void> {
  const surveyIds = portal.rules.flatMap(rule => rule.survey_id ?? []);
  if (!visitorId || !surveyIds.length) return;
  await app.db.withTenant(tenantId, tx => noteAsked(tx, { surveyIds, mac, visitorId }));
}

/** The rule for a guest who has just come online. */
export async function afterSignIn(
  services: GuestServices,
  frame: Frame,
  context: GuestContext,
  { visit, ticket }: OpenVisit,
  session: OnlineRow,
): Promise<GuestAnswer | undefined> {
  const { portal } = context;
  if (!portal) return undefined;
  await noteEarlier(services, { ...context, portal }, visit.mac, session.visitor_id);
  const rule = ruleFor(portal, 'login_successful', frame);
  const address = addressOf(rule, frame);
  if (address) return redirectTo(address);
  if (!rule?.survey_id) return undefined;
  const asked = {
    moment: 'login_successful',
    surveyId: rule.survey_id,
    visitorId: session.visitor_id,
    ticket,
  } as const;
  return surveyPage(services, frame, { context: { ...context, portal }, visit }, asked);
}
