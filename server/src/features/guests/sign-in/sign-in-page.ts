import { type GuestProblem, ownPageProblems } from '@portico/contract/guest-problems.ts';
import type { AdView, AgreementKind, SignInView } from '@portico/contract/guests.ts';
import type { Settings } from '../../../settings.ts';
import { formTargets } from '../arrival/addresses.ts';
import type { GuestRequest } from '../arrival/check-arrival.ts';
import type { GuestAnswer, GuestValues, SignInTemplate } from '../guest-answer.ts';
import type { PortalRow } from '../guest-context.queries.ts';
import type { GuestContext, GuestServices } from '../guest-context.ts';
import { type CodeFacts, packState } from '../guest-state.ts';
import { common, type Frame, offeredMethods, pageLink, portalView, problemView, visitQuery } from '../guest-views.ts';
import { chooseAd } from '../surveys/advertisements.ts';
import { agreementVersion } from './consents.queries.ts';
import { methodView } from './method-fields.ts';

/** What a sign-in page shows besides its empty form. */
export interface PageMessage extends Partial<Pick<SignInView, 'chosen' | 'wrong' | 'code' | 'agreed' | 'values'>> {
  readonly problem?: GuestProblem | undefined;
  readonly problemValues?: SignInView['problemValues'];
}

type OwnPageProblem = (typeof ownPageProblems)[number];
/** Whether a problem has a page of its own, because no other input in the form would help. */
export const hasOwnPage = (problem: string | null | undefined): problem is OwnPageProblem =>
  (ownPageProblems as readonly unknown[]).includes(problem);

export interface PageOptions {
  readonly status?: number;
  /** Set for the page that asks for the code that was sent. */
  readonly code?: CodeFacts | undefined;
}

/** The page with the portal's methods or with the field for a code, or the own page of a problem. */
export function signInPage(
  { app }: GuestServices,
  frame: Frame,
  { context, login, visit }: GuestRequest,
  message: PageMessage,
  { status = 200, code }: PageOptions = {},
): GuestAnswer {
  if (hasOwnPage(message.problem)) {
    const { problem, problemValues = {} } = message;
    const path = `/w/${visit.nas}`;
    const form = pageLink(path, visit, `step=form&lang=${frame.language}`);
    const languageLink = pageLink(path, visit, `step=${problem}&lang={lang}`);
    return { view: problemView(frame, { problem, values: problemValues, context, form, languageLink }), status };
  }
  const state = packState(app.secrets, code ? { step: 'code', visit, ...code } : { step: 'sign-in', visit });
  const shownAd = chooseAd(context, 'sign-in');
  const values = { nas: visit.nas, query: visitQuery(visit), state };
  const viewOf: SignInTemplate['view'] = (nonce, it) =>
    signInView({ ...frame, nonce }, context, app.settings, { ...it, message, ad: shownAd?.ad ?? null });
  const more = { status, formTarget: formTargets(login, context.portal), ...(shownAd && { shownAd }) };
  const content = context.portal.revision;
  const isEmpty = Object.values(message).every(it => it === undefined);
  if (isEmpty && content) return { template: { content, view: viewOf, values }, ...more };
  return { view: viewOf(frame.nonce, values), ...more };
}

const agreementKinds = ['general', 'kvkk'] as const satisfies readonly AgreementKind[];

function signInView(
  frame: Frame,
  context: GuestContext & { portal: PortalRow },
  settings: Pick<Settings, 'NVI_URL'>,
  { nas, state, query, message, ad }: GuestValues & { readonly message: PageMessage; readonly ad: AdView | null },
): SignInView {
  const { agreements } = context.portal;
  return {
    page: 'sign-in',
    ...common(frame),
    ad,
    languageLink: `/w/${nas}?${query}&lang={lang}`,
    portal: portalView(context.portal),
    locationName: context.location_name,
    methods: offeredMethods(context.portal, settings).map(methodView),
    social: context.social,
    socialAction: `/w/${nas}/social`,
    action: `/w/${nas}/sign-in`,
    state,
    agreements: agreementKinds
      .filter(kind => Object.values(agreements[kind] ?? {}).some(Boolean))
      .map(kind => ({ kind, href: `/w/${nas}/agreement/${kind}?${query}&lang=${frame.language}` })),
    agree: agreementVersion(context.portal),
    agreed: message.agreed ?? false,
    problem: message.problem ?? null,
    problemValues: message.problemValues ?? {},
    chosen: message.chosen ?? null,
    wrong: message.wrong ?? [],
    code: message.code ?? null,
    values: message.values ?? {},
  };
}
